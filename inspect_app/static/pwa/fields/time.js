/** An instant, given as the village's day and wall-clock time and kept with the offset that held there. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { t } from "../words.js";
import { fromWallClock, wallClock, withOffset } from "./moments.js";

/** @param {import("./field.js").Ask} ask */
export function time(ask) {
  const half = ask.part ?? {};
  const known = instantParts(ask.value, ask.timezone);
  const day = half.day ?? known?.day ?? "";
  const hour = half.time ?? (known ? known.seconds === "00" ? known.time : `${known.time}:${known.seconds}` : "");
  const change = (/** @type {{day?: string, time?: string}} */ part) => {
    const next = { day: part.day ?? day, time: part.time ?? hour };
    // A time alone is meant for today: at the trench nobody types the date.
    if (part.time && !next.day) next.day = wallClock(ask.now(), ask.timezone).day;
    const iso = next.day && next.time ? fromWallClock(next.day, next.time, ask.timezone) : null;
    ask.setPart(iso || (!next.day && !next.time) ? undefined : next);
    ask.set(iso);
  };
  return html`<div class="moment">
    <label class="sr" for="${ask.id}-day">${ask.label}: ${t.time.day}</label>
    <input class="txt" id="${ask.id}-day" type="date" .value=${live(day)} @focus=${ask.focused} @change=${ask.done}
      @input=${(/** @type {any} */ event) => change({ day: event.target.value })}>
    <input class="txt" id=${ask.id} type="time" step=${hour.length > 5 ? 1 : 60} .value=${live(hour)}
      aria-describedby=${ask.describedBy || nothing} @focus=${ask.focused} @change=${ask.done}
      @input=${(/** @type {any} */ event) => change({ time: event.target.value })}>
    <button class="btn" type="button" @click=${() => { ask.setPart(undefined); ask.set(withOffset(ask.now(), ask.timezone),
      { done: true }); }}>${t.time.now}<span class="sr">, ${ask.label}</span></button></div>`;
}

/** @param {any} value @param {string} timezone */
function instantParts(value, timezone) {
  const instant = new Date(typeof value === "string" ? value : NaN);
  return Number.isNaN(instant.getTime()) ? null : wallClock(instant, timezone);
}
