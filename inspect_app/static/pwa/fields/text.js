/** Words: a name, a number that is no number, a note. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { barcode } from "./barcode.js";
import { isLong } from "./spec.js";

/** @param {import("./field.js").Ask} ask */
export function text(ask) {
  if (ask.field.scan) return barcode(ask);
  const typed = (/** @type {any} */ event) => ask.set(event.target.value === "" ? null : event.target.value);
  if (isLong(ask.field)) {
    return html`<textarea class="txt" id=${ask.id} rows="4" autocapitalize="sentences" .value=${live(ask.value ?? "")} aria-describedby=${ask.describedBy || nothing}
      @input=${typed} @focus=${ask.focused} @change=${ask.done}></textarea>`;
  }
  return html`<input class="txt" id=${ask.id} type="text" autocomplete="off" autocapitalize=${/(_no|_id|_ref|license|ticket)$/.test(ask.name) ? "characters" : "sentences"}
    .value=${live(ask.value ?? "")} aria-describedby=${ask.describedBy
      || nothing} @input=${typed} @focus=${ask.focused} @change=${ask.done}>`;
}
