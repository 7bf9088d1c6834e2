/** Several short names in one box, as "D2, D3": a list of one column that stands in a row of another list. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { rowFields } from "./spec.js";

/** @param {import("./field.js").Ask} ask */
export function names(ask) {
  const column = rowFields(ask.field)[0].field;
  const kept = Array.isArray(ask.value) ? ask.value.map((/** @type {any} */ one) => one[column]).join(", ") : "";
  const typed = (/** @type {any} */ event) => {
    const found = event.target.value.split(/[,;]/).map((/** @type {string} */ name) => name.trim()).filter(Boolean);
    ask.setPart(event.target.value); // a comma that was typed stays under the cursor until the next name
    ask.set(found.length ? found.map((/** @type {string} */ name) => ({ [column]: name })) : null);
  };
  return html`<input class="txt" id="${ask.id}-names" type="text" autocomplete="off" autocapitalize="characters" aria-label=${ask.label} .value=${live(ask.part ?? kept)}
    aria-describedby=${ask.describedBy || nothing} @input=${typed} @focus=${ask.focused} @change=${() => { ask.setPart(undefined); ask.done(); }}>`;
}
