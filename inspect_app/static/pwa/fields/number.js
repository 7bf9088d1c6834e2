/** A number without a unit, or a count. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { beside } from "./reading.js";

/** @param {import("./field.js").Ask} ask */
export function number(ask) {
  const text = String(ask.value ?? "");
  const as = beside({ value: text, unit: "" }, "");
  return html`<div class="mbox ${as ? "has-as" : ""}"><input id=${ask.id} type="text" inputmode=${ask.pad ? "none" : "decimal"} autocomplete="off"
    .value=${live(text)}
      aria-describedby=${ask.describedBy || nothing} @focus=${ask.focused} @change=${ask.done}
      @input=${(/** @type {any} */ event) => ask.set(event.target.value === "" ? null : event.target.value)}>${as
        ? html`<span class="as">${as}</span>` : nothing}</div>`;
}
