/** A number with its unit: what was typed at full size, the plain number beside it, the units as a switch in the box. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { t, unitWord } from "../words.js";
import { beside, ruleUnit } from "./reading.js";
import { unitsOf } from "./spec.js";

/** @param {import("./field.js").Ask} ask */
export function measure(ask) {
  const offered = unitsOf(ask.field, ask.rowValues);
  const unit = ask.value?.unit ?? ask.unit ?? ruleUnit(ask.field, offered);
  const units = offered.includes(unit) || !unit ? offered : [...offered, unit];
  const text = String(ask.value?.value ?? "");
  const as = beside(ask.value, ruleUnit(ask.field, offered));
  const typed = (/** @type {any} */ event) => ask.set(event.target.value === "" ? null : { value: event.target.value, unit });
  // Another unit gives the same text another meaning; the text is never converted under the hand.
  const meant = (/** @type {string} */ other) => { ask.setUnit(other); if (text) ask.set({ value: text, unit: other }); };
  return html`<div class="mbox ${as ? "has-as" : ""}">
    <input id=${ask.id} type="text" inputmode=${ask.pad ? "none" : "decimal"} autocomplete="off" enterkeyhint="next" .value=${live(text)}
      aria-describedby=${ask.describedBy || nothing} @input=${typed} @focus=${ask.focused} @change=${ask.done}>
    ${as ? html`<span class="as">${as}</span>` : nothing}
    ${units.length > 1 ? html`<span class="unit" role="radiogroup" aria-label=${t.units.of(ask.label)}>${units.map((one) => html`
        <label><input class="sr" type="radio" name="${ask.id}-unit" value=${one} .checked=${live(one === unit)}
          @change=${() => meant(one)}><span>${unitWord(one)}</span></label>`)}</span>`
      : html`<span class="unit lone"><span>${unitWord(unit)}</span></span>`}
  </div>`;
}
