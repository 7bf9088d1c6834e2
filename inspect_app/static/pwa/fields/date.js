/** A civil day of the village. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { t } from "../words.js";
import { wallClock } from "./moments.js";

/** @param {import("./field.js").Ask} ask */
export function date(ask) {
  return html`<div class="moment one"><input class="txt" id=${ask.id} type="date" .value=${live(ask.value ?? "")}
    aria-describedby=${ask.describedBy || nothing}
      @input=${(/** @type {any} */ event) => ask.set(event.target.value || null)} @focus=${ask.focused} @change=${ask.done}>
    <button class="btn" type="button" @click=${() => ask.set(wallClock(ask.now(), ask.timezone).day,
      { done: true })}>${t.time.today}<span class="sr">, ${ask.label}</span></button></div>`;
}
