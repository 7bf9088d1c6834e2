/** The main in section as a clock dial: it shows where the tap sits and takes it by press, drag or keys. */
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import { at, degrees, minutesAt, spokenClock, stepOf } from "./geometry.js";

const RIM = 94;
const HANDLE = 90;
const HOUSE_STANDARD = [630, 90]; // 10:30 and 1:30, the usual specification for laterals

/**
 * @param {object} tap
 * @param {string} tap.clock as typed
 * @param {number | null} tap.minutes since twelve, null where the text is no position
 * @param {string} tap.looking the direction of view, or ""
 * @param {string | null} tap.outcome worst outcome that read the position
 * @param {boolean} tap.judged whether a rule looks at the position, and so the lower half is forbidden ground
 * @param {((minutes: number) => void) | null} tap.set null where it is only shown
 */
export function dial({ clock, minutes, looking, outcome, judged, set }) {
  const word = outcome ? t.outcomes[/** @type {"pass"} */ (outcome)] : "";
  if (!set) return html`<div class="dial" role="img" aria-label="${t.clock.name(looking)}: ${spokenClock(clock, minutes, word)}">${drawn(minutes, outcome, judged)}</div>`;
  const press = (/** @type {PointerEvent} */ event) => {
    const box = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const [dx, dy] = [event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2];
    if (Math.hypot(dx, dy) < box.width * 0.12) return;
    if (event.type === "pointerdown") /** @type {HTMLElement} */ (event.currentTarget).setPointerCapture(event.pointerId);
    const next = minutesAt(dx, dy);
    if (next !== minutes) set(next);
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const next = stepOf(event.key, minutes);
    if (next === null) return;
    event.preventDefault();
    set(next);
  };
  return html`<div class="slider dial" role="slider" tabindex="0" id="dial" aria-label=${t.clock.name(looking)} aria-orientation="vertical"
    aria-valuemin="0" aria-valuemax="719" aria-valuenow=${minutes ?? 0} aria-valuetext=${spokenClock(clock, minutes, word)}
    @pointerdown=${press} @pointermove=${(/** @type {PointerEvent} */ e) => e.buttons === 1 && press(e)}
      @keydown=${key}>${drawn(minutes, outcome, judged)}</div>`;
}

/** @param {number | null} minutes @param {string | null} outcome @param {boolean} judged */
function drawn(minutes, outcome, judged) {
  const ticks = Array.from({ length: 24 }, (_, i) => i * 30);
  const hours = /** @type {[number, string, number][]} */ ([[12, "tb", 16], [3, "tb", 16], [6, "tb", 16], [9, "tb", 16], [1, "t2", 13], [2,
    "t2", 13], [4, "t2", 13], [5, "t2", 13], [7, "t2", 13], [8, "t2", 13], [10, "t2", 13], [11, "t2", 13]]);
  const handle = minutes === null ? null : at(minutes, HANDLE);
  const hour = handle && minutes !== null ? Math.round(minutes / 60) % 12 || 12 : 0;
  return svg`<svg class="draw" viewBox="0 0 264 264" aria-hidden="true">
    ${judged ? svg`<path class="d-hatch" d="M38 132A94 94 0 0 0 226 132z" opacity=".42"></path>` : nothing}
    <circle class="d-line" cx="132" cy="132" r="94" stroke="var(--pipe-edge)"></circle><circle cx="132" cy="132" r="89" fill="none" stroke="var(--pipe)" stroke-width="8"></circle><circle cx="132" cy="132" r="84" fill="none" stroke="var(--pipe-edge)" stroke-width="1.5"></circle>
    <path class="d-dash" d="M24 132H240"></path>
    ${ticks.map((m) => { const from = at(m, RIM + 3); const to = at(m, RIM + (m % 60 ? 7 : 11)); return svg`<path class="d-thin" d="M${from.x} ${from.y}L${to.x} ${to.y}"></path>`; })}
    ${hours.filter(([h]) => h !== hour || h % 3 === 0).map(([h, cls, size]) => { const p = at(h * 60, h % 3 ? 116 : 118); return svg`<text class=${cls} x=${p.x} y=${p.y + 5} font-size=${size} text-anchor="middle">${h}</text>`; })}
    ${HOUSE_STANDARD.map((m) => { const p = at(m, 89); return svg`<circle class="d-paper" cx=${p.x} cy=${p.y} r="6" stroke="var(--pass)" stroke-width="2.5"></circle>`; })}
    <path class="d-wet" d="M70 188A83 83 0 0 0 194 188z" opacity=".9"></path>
    ${handle && minutes !== null ? angle(minutes, handle, outcome) : svg`<circle class="d-ink" cx="132" cy="132" r="3.5"></circle>`}</svg>`;
}

/**
 * The angle from the crown, the spoke and the handle with its glyph.
 * @param {number} minutes
 * @param {{x: number, y: number}} handle
 * @param {string | null} outcome
 */
function angle(minutes, handle, outcome) {
  const right = minutes <= 360;
  const end = at(minutes, 30);
  const label = at(right ? Math.min(minutes, 150) / 2 + 30 : 720 - (Math.min(720 - minutes, 150) / 2 + 30), 58);
  const color = outcome === "violation" ? "var(--violation)" : outcome === "warning" ? "var(--warning)" : outcome === "pass" ? "var(--pass)" : "var(--ink)";
  const glyph = outcome === "violation" ? "M-6 -6L6 6M6 -6L-6 6" : outcome === "pass" ? "M-7 0L-2 5L7 -5" : outcome === "warning" ? "M0 -8V2M0 7V7.5" : "M-4 0H4";
  return svg`<path class="d-thin" d="M132 102A30 30 0 0 ${right ? 1 : 0} ${end.x} ${end.y}"></path><path class="d-thin" d="M132 132V50" stroke-dasharray="3 4"></path>
    <path d="M132 132L${handle.x} ${handle.y}" stroke=${color} stroke-width="2.5" fill="none"></path><circle class="d-ink" cx="132" cy="132" r="3.5"></circle>
    <circle cx=${handle.x} cy=${handle.y} r="24" fill=${color} stroke="var(--paper)" stroke-width="3"></circle>
    <path d=${glyph} transform="translate(${handle.x} ${handle.y})" stroke="var(--paper)" stroke-width="3" fill="none" stroke-linecap="round" stroke-linejoin="round"></path>
    <text x=${label.x} y=${label.y + 5} font-size="16" text-anchor="middle" class="tb d-halo">${degrees(minutes)}°</text>`;
}
