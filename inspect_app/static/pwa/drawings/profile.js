/** The lateral in profile, wall to main: inverts as points, each run with its slope, the least slope dashed, the ground with its cover. */
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import { pressed } from "./press.js";
import { profile as spoken } from "./spoken.js";
import { EDGE, leastLine, profileLayout } from "./profile_layout.js";

/** A phone's profile is drawn anew, not shrunk. @type {Record<"wide" | "narrow", {width: number, height: number, font: number}>} */
const SIZES = { wide: { width: 564, height: 340, font: 15 }, narrow: { width: 358, height: 360, font: 14 } };

/**
 * @typedef {object} Run
 * @property {import("./profile_layout.js").Invert[]} inverts sorted by station
 * @property {import("./profile_layout.js").Cover[]} covers
 * @property {string[]} elevations words of each invert
 * @property {string[]} stations words of each invert
 * @property {string[]} depths words of each cover
 * @property {(string | null)[]} outcomes of each cover
 * @property {{text: string, bad: boolean}[]} slopes of each run
 * @property {{number: number, text: string} | null} least slope, inches in a foot
 * @property {number} pipe diameter in inches
 * @property {((list: "inverts" | "cover_top", n: number, cell: string) => void) | null} go opens the field of a point; null where it is only shown
 */

/** @param {Run} run */
export function profile(run) {
  if (run.inverts.length < 2) return run.go ? html`<p class="hint">${t.profile.few}</p>` : nothing;
  return html`<figure data-drawing="profile"><div class="wide-only">${drawn(run, SIZES.wide)}</div><div class="narrow-only">${drawn(run, SIZES.narrow)}</div>
    <figcaption class="sr">${spoken(run)}</figcaption></figure>`;
}

/** @param {Run} run @param {typeof SIZES.wide} size */
function drawn(run, size) {
  const { width, height, font } = size;
  const at = profileLayout(run.inverts, run.covers, run.pipe, size);
  const least = run.least ? leastLine(at, run.inverts, run.least.number) : null;
  const line = (/** @type {{x: number, y: number}[]} */ points) => `M${points.map((p) => `${p.x} ${p.y}`).join("L")}`;
  const ground = at.covers.map((one) => ({ x: one.x, y: one.ground }));
  const floor = height - 50;
  return svg`<svg class="draw" viewBox="0 0 ${width} ${height}" role=${run.go ? "group" : "img"} aria-label=${run.go ? t.profile.name : spoken(run)}>
    ${ground.length > 1 ? svg`<path fill="url(#p-soil)" d="${line(ground)}L${[...at.points].reverse().map((p) => `${p.x} ${p.y}`).join("L")}z"></path><path class="d-line" stroke-width="3" d=${line(ground)}></path>` : nothing}
    <path class="d-pipe" d="${line(at.points)}L${[...at.crowns].reverse().map((p) => `${p.x} ${p.y}`).join("L")}z"></path>
    ${least && run.least ? svg`<path class="d-dash" stroke-width="2.5" d="M${least.from.x} ${least.from.y}L${least.to.x} ${Math.min(least.to.y, floor)}"></path>` : nothing}
    <path class="d-thin" d="M${EDGE.left} ${floor}H${width - EDGE.right + 8}"></path>
    ${at.covers.map((one, k) => coverPoint(run, one, k, font, width))}
    ${run.slopes.map((slope, k) => slopeText(slope, at.crowns[k], at.crowns[k + 1], font))}
    ${at.points.map((p, k) => invertPoint(run, p, k, font, floor, width))}
    ${run.least ? svg`<text class="t2 d-halo" x=${EDGE.left} y=${height - 6} font-size=${font}>${t.profile.least(run.least.text)}</text>` : nothing}
    <text class="t2" x="4" y="16" font-size=${font}>${t.profile.times(at.times)}</text>
    <text class="t2" x=${width - 4} y="16" font-size=${font} text-anchor="end">${t.profile.toMain}</text></svg>`;
}

/** @param {{text: string, bad: boolean}} slope @param {{x: number, y: number}} a @param {{x: number, y: number}} b @param {number} font */
function slopeText(slope, a, b, font) {
  // A run too short for its slope says it in the list and in the text; two texts on one spot say nothing.
  if (b.x - a.x < 58) return nothing;
  return svg`<text class="${slope.bad ? "t-bad" : "tb"} d-halo" x=${(a.x + b.x) / 2} y=${(a.y + b.y) / 2 - 8} font-size=${font} text-anchor="middle">${slope.bad ? "✕ " : ""}${slope.text}</text>`;
}

/** @param {Run} run @param {any} one @param {number} k @param {number} font @param {number} width */
function coverPoint({ depths, outcomes, covers, go }, one, k, font, width) {
  const bad = outcomes[k] === "violation" || outcomes[k] === "warning";
  const x = one.x;
  const [side, anchor] = x > width - 90 ? [-9, "end"] : [9, "start"];
  const body = svg`<path class=${bad ? "d-bad" : "d-thin"} d="M${x} ${one.crown}V${one.ground}M${x - 5} ${one.ground}h10M${x - 5} ${one.crown}h10"></path>
    <circle cx=${x} cy=${one.ground} r="7" fill=${bad ? "var(--violation)" : "var(--paper)"} stroke=${bad ? "var(--paper)" : "var(--ink)"} stroke-width="2"></circle>
    ${bad ? svg`<path d="M${x - 3} ${one.ground - 3}l6 6m0 -6l-6 6" stroke="var(--paper)" stroke-width="2"></path>` : nothing}
    <text class="${bad ? "t-bad" : "tb"} d-halo" x=${x + side} y=${(one.ground + one.crown) / 2 - 6} font-size=${font} text-anchor=${anchor}>${depths[k]}</text>`;
  const name = t.profile.cover(one.n + 1, String(covers[k].x), depths[k], outcomes[k] ? t.outcomes[/** @type {"pass"} */ (outcomes[k])] : "");
  const least = bad && one.least !== null ? svg`<path class="d-dash" stroke="var(--violation)" stroke-width="2.5" d="M${x - 30} ${one.least}h60"></path><text class="t-bad d-halo" x=${x} y=${one.least - 6} font-size=${font} text-anchor="middle">${t.profile.leastCover(covers[k].least ?? 0)}</text>` : nothing;
  return svg`${least}${pressable(body, { x, y: one.ground }, name, go && (() => go("cover_top", one.n, "depth")))}`;
}

/** @param {Run} run @param {{x: number, y: number, n: number}} p @param {number} k @param {number} font @param {number} floor @param {number} width */
function invertPoint({ elevations, stations, go }, p, k, font, floor, width) {
  const x = Math.min(Math.max(p.x, 34), width - 34);
  const point = svg`<circle cx=${p.x} cy=${p.y} r="8" fill="var(--paper)" stroke="var(--ink)" stroke-width="3"></circle>
    <text class="tb d-halo" x=${x} y=${p.y + font + 10} font-size=${font} text-anchor="middle">${elevations[k]}</text>`;
  const name = t.profile.invert(p.n + 1, stations[k], elevations[k]);
  const station = svg`<path class="d-thin" d="M${p.x} ${floor - 4}v8"></path><text class="t2" x=${x} y=${floor + font + 4} font-size=${font} text-anchor="middle">${stations[k]}</text>`;
  return svg`${pressable(point, p, name, go && (() => go("inverts", p.n, "elevation")))}
    ${go ? svg`<g class="press" @click=${() => go("inverts", p.n, "station")}><rect x=${x - 24} y=${floor - 4} width="48" height="40" fill="transparent"></rect>${station}</g>` : station}`;
}

/** A point with room for a finger; arrow keys walk from point to point.
 * @param {any} body @param {{x: number, y: number}} p @param {string} name @param {(() => void) | null} go */
function pressable(body, p, name, go) {
  const walk = (/** @type {number} */ step, /** @type {Element} */ here) => {
    const all = [.../** @type {Element} */ (here.closest("svg")).querySelectorAll("[data-part=point]")];
    /** @type {any} */ (all[all.indexOf(here) + step])?.focus();
  };
  return pressed(go, name, go ? svg`<circle class="ring" cx=${p.x} cy=${p.y} r="24" fill="transparent"></circle>${body}` : body, { part: "point", walk });
}
