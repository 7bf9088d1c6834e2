/** The main in plan, to scale, flow to the right: opening, nearest joints, other lateral, and the zones it must stay out of. */
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import { planCaption, planLayout } from "./geometry.js";
import { pressed } from "./press.js";

/**
 * A phone's plan is drawn anew, not shrunk.
 * @type {Record<"wide" | "narrow", {width: number, x: number, scale: number, pipe: number, font: number}>}
 */
const SIZES = { wide: { width: 572, x: 386, scale: 6.7, pipe: 53.6, font: 14 }, narrow: { width: 358, x: 236, scale: 4.2, pipe: 42,
  font: 13 } };

/**
 * @param {object} main
 * @param {{up: number | null, down: number | null, lateral: number | null, opening: number | null, centre: boolean}} main.reading inches
 * @param {{joint: string | null, lateral: string | null, jointLimit: number | null, lateralLimit: number | null}} main.state what the findings say
 * @param {Record<string, string>} main.words the readings as texts
 * @param {((field: string) => void) | null} main.go opens the field of a dimension that is pressed; null where it is only shown
 */
export function plan({ reading, state, words, go }) {
  if (reading.up === null && reading.down === null && reading.lateral === null) return nothing;
  return html`<figure data-drawing="plan"><div class="wide-only">${drawn(reading, state, words, SIZES.wide, go)}</div><div class="narrow-only">${drawn(reading, state, words, SIZES.narrow, go)}</div>
    <figcaption class="sr">${planCaption(reading, words, state)}</figcaption></figure>`;
}

/**
 * @param {any} reading
 * @param {any} state
 * @param {Record<string, string>} words
 * @param {typeof SIZES.wide} size
 * @param {((field: string) => void) | null} go
 */
function drawn(reading, state, words, size, go) {
  const opens = (/** @type {string} */ field) => go && (() => go(field));
  const { width, x, scale, pipe, font } = size;
  const at = planLayout(reading, size);
  const [top, middle] = [92, 92 + pipe / 2];
  const zone = (/** @type {number} */ center, /** @type {number | null} */ limit, /** @type {boolean} */ entered) => (limit === null ? nothing : svg`
    <rect class=${entered ? "d-hatch" : "d-zone"} x=${center - limit * scale} y="66" width=${2 * limit * scale} height=${pipe + 52} opacity=${entered ? ".5" : "1"}></rect>
    <path class="d-dash" stroke="var(--violation)" d="M${center - limit * scale} 66v${pipe + 52}M${center + limit * scale} 66v${pipe + 52}"></path>`);
  const below = (/** @type {number} */ at, /** @type {number | null} */ limit, /** @type {boolean} */ bad, /** @type {string} */ anchor, /** @type {number} */ row) => (limit === null ? nothing
    : svg`<text class=${bad ? "t-bad" : "t2"} x=${clamp(at, 40, width - 40)} y=${top + pipe + 46 + 14 * row} font-size=${font} text-anchor=${anchor}>${t.drawn.zone(limit)}</text>`);
  const enters = (/** @type {number | null} */ d) => d !== null && state.jointLimit !== null && d <= state.jointLimit
    && state.joint === "violation";
  const joint = (/** @type {any} */ side) => (side && !side.far ? svg`<rect class="d-pipe" x=${side.to - 14} y=${top - 5} width="28" height=${pipe + 10}></rect>` : nothing);
  const lead = (/** @type {any} */ side, /** @type {string} */ text, /** @type {string} */ field, /** @type {boolean} */ bad, /** @type {number} */ y) => (side && !side.far ? pressed(opens(field), t.drawn.opens[/** @type {"joint_distance_up"} */ (field)](text), svg`
    <rect class="ring" x=${Math.min(side.from, side.to) - 4} y=${y - 28} width=${Math.abs(side.to - side.from) + 8} height="48" fill="transparent"></rect>
    <path class=${bad ? "d-bad" : "d-ok"} d="M${side.from} ${y}H${side.to}M${side.from} ${y - 7}v14M${side.to} ${y - 7}v14"></path>
    <text class="${bad ? "t-bad" : "t-ok"} d-halo" x=${clamp((side.from + side.to) / 2, 28,
      width - 28)} y=${y - 11} font-size=${bad ? 18 : 15} text-anchor="middle">${text}</text>
    <path class="d-thin" d="M${side.from} ${y + 8}V${middle}M${side.to} ${y + 8}V${top - 5}" stroke-dasharray="3 3"></path>`) : nothing);
  const far = (/** @type {any} */ side, /** @type {string} */ field, /** @type {string} */ text, /** @type {string} */ shown, /** @type {number} */ y, /** @type {string} */ anchor) => (side?.far
    ? pressed(opens(field), t.drawn.opens[/** @type {"joint_distance_up"} */ (field)](text), svg`<rect class="ring" x=${anchor === "start" ? 2 : width - 162} y=${y - 16} width="160" height="24" fill="transparent"></rect>
      <text class="t2" x=${anchor === "start" ? 4 : width - 4} y=${y} font-size=${font} text-anchor=${anchor}>${shown}</text>`) : nothing);
  const violation = state.joint === "violation" || state.lateral === "violation";
  const lateralBad = state.lateral === "violation";
  const passes = state.joint === "pass" || state.lateral === "pass";
  const glyph = violation ? `M${x - 5} ${middle - 5}l10 10m0 -10l-10 10` : passes ? `M${x - 6} ${middle}l4 4 8 -8` : `M${x} ${middle - 6}v7m0 4v1`;
  const color = violation ? "var(--violation)" : passes ? "var(--pass)" : "var(--ink)";
  const r = Math.max(10, Math.min(at.radius, 16));
  const breakMark = (/** @type {number} */ bx) => svg`<path d="M${bx} ${top - 8}l-9 ${pipe * 0.65} 16 2 -9 ${pipe * 0.65}h12l9 ${-pipe * 0.65} -16 -2 9 ${-pipe * 0.65}z" class="d-paper" stroke="var(--ink-2)" stroke-width="1.5"></path>`;
  return svg`<svg class="draw" viewBox="0 0 ${width} ${pipe + 184}" role=${go ? "group" : "img"} aria-label=${go ? t.drawn.plan : planCaption(reading, words, state)}>
    ${at.lateral && !at.lateral.far ? zone(at.lateral.to, state.lateralLimit, lateralBad) : nothing}
    ${at.up && !at.up.far ? zone(at.up.to, state.jointLimit, enters(reading.up)) : nothing}${at.down && !at.down.far ? zone(at.down.to,
      state.jointLimit, enters(reading.down)) : nothing}
    <rect class="d-pipe" x="-4" y=${top} width=${width + 8} height=${pipe}></rect>${joint(at.up)}${joint(at.down)}
    ${at.up?.far || (at.lateral?.far && at.lateral) ? breakMark(34) : nothing}${at.down?.far ? breakMark(width - 40) : nothing}
    ${at.lateral && !at.lateral.far ? svg`<rect class="d-pipe" x=${at.lateral.to - 2 * scale} y=${middle + 6} width=${4 * scale} height=${pipe + 26}></rect><ellipse class="d-pipe" cx=${at.lateral.to} cy=${middle + 6} rx=${2.6 * scale} ry="9"></ellipse>` : nothing}
    <rect class="d-pipe" x=${x - 2 * scale} y=${middle} width=${4 * scale} height=${pipe + 4} opacity=".9"></rect>
    <circle cx=${x} cy=${middle} r=${r} fill=${color} stroke="var(--paper)" stroke-width="3"></circle>
    <path d=${glyph} stroke="var(--paper)" stroke-width="3" fill="none" stroke-linecap="round"></path>
    ${lead(at.lateral, words.lateral, "other_lateral_distance", lateralBad, 44)}${lead(at.up, words.up, "joint_distance_up",
      enters(reading.up), at.lateral && !at.lateral.far ? 18 + 52 : 44)}${lead(at.down, words.down, "joint_distance_down",
      enters(reading.down), 44)}
    ${far(at.up, "joint_distance_up", words.up, t.drawn.jointUp(words.up), 58, "start")}
    ${far(at.down, "joint_distance_down", words.down, t.drawn.jointDown(words.down), 58, "end")}
    ${far(at.lateral, "other_lateral_distance", words.lateral, t.drawn.lateral(words.lateral), 36, "start")}
    ${at.lateral && !at.lateral.far ? below(at.lateral.to + 2 * scale + 8, state.lateralLimit, lateralBad, "start", 0) : nothing}
    ${at.up && !at.up.far ? below(at.up.to, state.jointLimit, enters(reading.up), "middle", at.lateral && !at.lateral.far ? 2 : 0) : nothing}
    ${at.down && !at.down.far ? below(at.down.to, state.jointLimit, enters(reading.down), "middle", 0) : nothing}
    ${words.opening ? svg`<text class="t2" x=${x} y=${top + pipe + 74} font-size=${font} text-anchor="middle">${t.drawn.opening(words.opening)}</text>` : nothing}
    <path class="d-thin" d="M${width - 44} ${top + pipe + 84}h34m-8 -6l8 6 -8 6"></path><text class="t2" x=${width - 50} y=${top + pipe + 88} font-size=${font} text-anchor="end">${t.drawn.flow}</text>
    ${words.manhole ? svg`<text class="t2" x="4" y=${top + pipe + 88} font-size=${font}>${words.manhole}</text>` : nothing}</svg>`;
}

/** @param {number} n @param {number} low @param {number} high */
const clamp = (n, low, high) => Math.min(Math.max(n, low), high);
