/** Where on the pipe, as on a watch: typed, or moved by half an hour. The dial in drawings/ writes the same value. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { t } from "../words.js";
import { stepped } from "./reading.js";

/** @param {import("./field.js").Ask} ask */
export function clock(ask) {
  const move = (/** @type {number} */ minutes) => ask.set(stepped(ask.value, minutes), { done: true });
  const settle = (/** @type {any} */ event) => { if (/^(0?[1-9]|1[0-2])$/.test(event.target.value.trim())) ask.set(`${Number(event.target.value)}:00`); ask.done(); };
  return html`<div class="step">
    <button type="button" aria-label="${t.clock.less}, ${ask.label}"
      @click=${() => move(-30)}>${t.clock.less.split(" ")[0]}<br>${t.clock.less.split(" ")[1]}</button>
    <input id=${ask.id} type="text" inputmode="numeric" autocomplete="off" .value=${live(ask.value ?? "")}
      aria-describedby=${ask.describedBy || nothing}
      @focus=${ask.focused} @change=${settle} @input=${(/** @type {any} */ event) => ask.set(event.target.value === "" ? null : event.target.value)}>
    <button type="button" aria-label="${t.clock.more}, ${ask.label}"
      @click=${() => move(30)}>${t.clock.more.split(" ")[0]}<br>${t.clock.more.split(" ")[1]}</button></div>`;
}
