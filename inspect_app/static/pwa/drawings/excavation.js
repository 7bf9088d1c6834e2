/** The opening from above, north up: on each side a barricade and a lamp, in the middle depth and protection, above it the sun. */
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import { NEXT_GUARD, NEXT_LAMP, SIDES } from "./parts.js";
import { opening } from "./spoken.js";

/** @typedef {import("./parts.js").Side} Side */
/** @typedef {import("./parts.js").Guard} Guard */
/** @typedef {import("./parts.js").Lamp} Lamp */

/** Where each side's bar runs and its lamp hangs, in a square of 200. @type {Record<Side, {bar: string, x: number, y: number}>} */
const AT = { north: { bar: "M40 22H160", x: 100, y: 22 }, east: { bar: "M178 40V160", x: 178, y: 100 },
  south: { bar: "M40 178H160", x: 100, y: 178 }, west: { bar: "M22 40V160", x: 22, y: 100 } };

const RAYS = [0, 45, 90, 135, 180, 225, 270, 315];

/**
 * @typedef {object} Opening
 * @property {Record<Side, {guard: Guard, lamp: Lamp}>} sides
 * @property {string} depth as read, or ""
 * @property {string} protection in words, or ""
 * @property {{text: string, night: boolean} | null} sun
 * @property {boolean} open whether a side without a barricade is a fault
 * @property {boolean} dark whether a light that is not lit is a fault
 * @property {((side: Side, guard: Guard) => void) | null} setGuard null where it is only shown
 * @property {((side: Side, lamp: Lamp) => void) | null} setLamp
 * @property {((field: string) => void) | null} go
 */

/** @param {Opening} of */
export function excavation(of) {
  return html`<figure class="dig" data-drawing="excavation">
    ${of.sun ? html`<p class="sunline ${of.sun.night ? "night" : ""}">${of.sun.night ? html`<b>${t.dig.night}</b> ` : nothing}${of.sun.text}</p>` : nothing}
    ${of.setGuard ? html`<p class="hint">${t.dig.hint}</p>` : nothing}
    <div class="digplan">${SIDES.map((side) => cell(side, of))}<div class="pit">${pit(of)}${middle(of)}</div></div>
    <figcaption class="sr">${opening(of)}</figcaption></figure>`;
}

/** @param {Side} side @param {Opening} of */
function cell(side, { sides, open, dark, setGuard, setLamp }) {
  const { guard, lamp } = sides[side];
  const name = t.dig.sides[side];
  const bad = guard === "none" && open;
  const unlit = lamp !== "lit" && lamp !== "unknown" && dark;
  const guardText = html`<span class="sr">${name}: ${t.dig.guardsSaid[guard]}</span><b aria-hidden="true">${t.dig.letters[side]}</b><span aria-hidden="true">${t.dig.guards[guard]}</span>`;
  const lampText = html`${lampIcon(lamp)}<span class="sr">${name}: ${t.dig.lampsSaid[lamp]}</span><span aria-hidden="true">${t.dig.lamps[lamp]}</span>`;
  return html`<div class="side ${side}">
    ${setGuard ? html`<button type="button" class="sidekey ${guard} ${bad ? "bad" : ""}" data-side=${side}
      @click=${() => setGuard(side, NEXT_GUARD[guard])}>${guardText}</button>` : html`<p class="sidekey ${guard} ${bad ? "bad" : ""}">${guardText}</p>`}
    ${setLamp ? html`<button type="button" class="lampkey ${lamp} ${unlit ? "bad" : ""}" data-lamp=${side}
      @click=${() => setLamp(side, NEXT_LAMP[lamp])}>${lampText}</button>` : html`<p class="lampkey ${lamp} ${unlit ? "bad" : ""}">${lampText}</p>`}</div>`;
}

/** @param {Opening} of */
function middle({ depth, protection, go }) {
  const words = html`<b>${depth || t.dig.noDepth}</b>${protection ? html`<span>${protection}</span>` : nothing}`;
  return go ? html`<button type="button" class="pitkey" @click=${() => go("depth_max")}>${words}</button>` : html`<p class="pitkey">${words}</p>`;
}

/** @param {Opening} of */
function pit({ sides, open, dark }) {
  return svg`<svg class="draw" viewBox="0 0 200 200" aria-hidden="true">
    <rect class="d-soil" x="46" y="46" width="108" height="108"></rect><rect class="d-paper" x="54" y="54" width="92" height="92" stroke="var(--soil-edge)" stroke-width="1.5"></rect>
    ${SIDES.map((side) => bar(side, sides[side].guard, open))}${SIDES.map((side) => hung(side, sides[side].lamp, dark))}
    <path class="d-line" d="M14 34V8m-5 9l5 -9 5 9"></path><text class="tb" x="22" y="20" font-size="15">${t.dig.letters.north}</text></svg>`;
}

/** A barricade is a striped board, a bare side a gap with ends, what was not checked a row of dots.
 * @param {Side} side @param {Guard} guard @param {boolean} open */
function bar(side, guard, open) {
  const { bar: d, x, y } = AT[side];
  if (guard === "barricade") return svg`<path d=${d} stroke="var(--ink)" stroke-width="14" fill="none"></path><path d=${d} stroke="var(--paper)" stroke-width="8" stroke-dasharray="9 9" fill="none"></path>`;
  if (guard === "unknown") return svg`<path d=${d} stroke="var(--edge)" stroke-width="3" stroke-dasharray="0 9" stroke-linecap="round" fill="none"></path>`;
  const color = open ? "var(--violation)" : "var(--ink)";
  return svg`<path d=${d} stroke=${color} stroke-width="2.5" stroke-dasharray="12 8" fill="none"></path>
    ${open ? svg`<path d="M${x - 30} ${y - 6}l12 12m0 -12l-12 12" transform=${side === "east" || side === "west" ? `rotate(90 ${x} ${y})` : "rotate(0)"} stroke=${color} stroke-width="3" stroke-linecap="round"></path>` : nothing}`;
}

/** @param {Side} side @param {Lamp} lamp @param {boolean} dark */
function hung(side, lamp, dark) {
  const { x, y } = AT[side];
  if (lamp === "unknown" || lamp === "none") return nothing;
  const lit = lamp === "lit";
  const color = !lit && dark ? "var(--violation)" : "var(--ink)";
  return svg`<circle cx=${x} cy=${y} r="10" fill=${lit ? "var(--ink)" : "var(--paper)"} stroke=${lit ? "var(--paper)" : color} stroke-width="2.5"></circle>
    ${lit ? RAYS.map((angle) => svg`<path d="M${x} ${y - 13}v-5" transform="rotate(${angle} ${x} ${y})" stroke="var(--ink)" stroke-width="2.5" stroke-linecap="round"></path>`)
      : svg`<path d="M${x - 6} ${y + 6}l12 -12" stroke=${color} stroke-width="2.5"></path>`}`;
}

/** @param {Lamp} lamp */
const lampIcon = (lamp) => html`<svg class="ic s" viewBox="0 0 24 24" aria-hidden="true">${lamp === "lit"
  ? svg`<circle cx="12" cy="12" r="5" fill="currentColor"></circle><path d="M12 1v3M12 20v3M1 12h3M20 12h3M4.2 4.2l2.1 2.1M17.7 17.7l2.1 2.1M4.2 19.8l2.1 -2.1M17.7 6.3l2.1 -2.1"></path>`
  : lamp === "unlit" ? svg`<circle cx="12" cy="12" r="6"></circle><path d="M4 20L20 4"></path>`
    : lamp === "none" ? svg`<path d="M6 12h12"></path>` : svg`<path d="M9 9a3 3 0 1 1 4.5 2.6c-1 .6 -1.5 1.2 -1.5 2.4M12 18v.2"></path>`}</svg>`;
