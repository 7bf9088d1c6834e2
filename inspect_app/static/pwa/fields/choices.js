/** Any number of several. "None" is an answer of its own and cannot stand beside another. Native checkboxes lie under the skin. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { icon } from "./icons.js";
import { toggled } from "./picks.js";
import { choicesOf } from "./spec.js";

/** @param {import("./field.js").Ask} ask */
export function choices(ask) {
  const options = choicesOf(ask.field);
  const chosen = Array.isArray(ask.value) ? ask.value : [];
  return html`<div class="choice rows many ${options.length <= 4 ? "half" : ""}">${options.map(([slug, label]) => html`
    <label class="opt"><input class="sr" type="checkbox" id="${ask.id}-${slug}" name=${ask.id} value=${slug}
      .checked=${live(chosen.includes(slug))} @focus=${ask.focused} aria-describedby=${ask.describedBy || nothing}
      @change=${() => ask.set(toggled(chosen, slug, options.map(([s]) => s)),
        { done: true })}>${icon("i-check")}<span>${label}</span></label>`)}</div>`;
}
