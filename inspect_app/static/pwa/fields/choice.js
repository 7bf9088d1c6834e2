/** One of several: joined buttons up to three, a column of rows above that. Native radios lie under the skin. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { icon } from "./icons.js";
import { choicesOf } from "./spec.js";

/** Letters that fit on joined buttons together. */
const JOINED_LETTERS = 26;

/** @param {import("./field.js").Ask} ask */
export function choice(ask) {
  return radios(ask, choicesOf(ask.field));
}

/** @param {import("./field.js").Ask} ask @param {[string, string][]} options */
export function radios(ask, options) {
  const letters = options.reduce((sum, [, label]) => sum + label.length, 0);
  const joined = options.length <= 3 && letters <= JOINED_LETTERS;
  return html`<div class="choice ${joined ? "" : "rows"} of-${options.length}">${options.map(([slug, label]) => html`
    <label class="opt"><input class="sr" type="radio" id="${ask.id}-${slug}" name=${ask.id} value=${slug}
      .checked=${live(ask.value === slug)} @change=${() => ask.set(slug, { done: true })} @focus=${ask.focused}
      aria-describedby=${ask.describedBy || nothing}>${icon("i-check")}<span>${label}</span></label>`)}</div>`;
}
