/** The house from above with its outlets on the walls: a press on a wall adds one, drag, buttons and keys move it. */
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import { pressed } from "./press.js";
import { house as spoken, outlet as spokenOutlet, placeName } from "./spoken.js";
import { houseLayout, nearest, turned } from "./house_layout.js";

/** A phone's plan is drawn anew, not shrunk. */
const SIZES = {
  wide: { width: 564, height: 372, house: { left: 142, top: 96, right: 422, bottom: 276 } },
  narrow: { width: 358, height: 400, house: { left: 76, top: 96, right: 282, bottom: 304 } },
};

/** A finger that stays within this many pixels presses; beyond, it drags. */
const STILL = 10;

/**
 * @typedef {object} Outlet
 * @property {string} id
 * @property {string | null} place
 * @property {string} side as typed
 * @property {string} path
 * @property {string} dye its colour by name
 * @property {boolean} seen whether the dye was seen
 * @property {string} result in words
 * @property {string | null} outcome
 *
 * @typedef {object} House
 * @property {Outlet[]} outlets
 * @property {number | null} open
 * @property {{add: (place: string) => void, move: (n: number, place: string) => void, go: (n: number) => void} | null} input null where it is only shown
 */

/** @param {House} of */
export function house(of) {
  const { outlets, input, open } = of;
  const mine = input && open !== null ? outlets[open] : null;
  const loose = outlets.filter((one) => !one.place);
  return html`<figure class="housefig" data-drawing="house">
    ${input ? html`<p class="hint">${t.house.hint}</p>` : nothing}
    <div class="wide-only">${drawn(of, SIZES.wide)}</div><div class="narrow-only">${drawn(of, SIZES.narrow)}</div>
    ${mine && open !== null ? html`<div class="btnrow">${(mine.place ? [-1, 1] : [1]).map((step) => { const to = turned(mine.place, step); return html`
      <button class="btn" type="button" data-move=${step} @click=${() => input?.move(open, to)}>${step < 0 ? "↺" : "↻"} ${t.house.move(mine.id, placeName(to))}</button>`; })}</div>` : nothing}
    ${loose.length ? html`<p class="hint">${t.house.unplaced} ${loose.map((one) => (one.side ? `${one.id} (${one.side})` : one.id)).join(", ")}</p>` : nothing}
    ${legend(outlets)}
    <figcaption class="sr">${spoken(of)}</figcaption></figure>`;
}

/** @param {House} of @param {typeof SIZES.wide} size */
function drawn({ outlets, open, input }, { width, height, house: box }) {
  const at = houseLayout(outlets.map((one) => one.place), box);
  const [w, h] = [box.right - box.left, box.bottom - box.top];
  const [n, e, s, west] = t.house.letters;
  const middle = { x: box.left + w / 2, y: box.top + h / 2 };
  const letter = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) => svg`<text class="t2" x=${x} y=${y} font-size="15" text-anchor="middle">${text}</text>`;
  return svg`<svg class="draw" viewBox="0 0 ${width} ${height}" role=${input ? "group" : "img"} aria-label=${input ? t.house.name : spoken({ outlets, open, input })}>
    <rect class="d-paper" x=${box.left} y=${box.top} width=${w} height=${h} stroke="var(--ink)" stroke-width="6"></rect>
    <path class="d-thin" d="M${box.left} ${box.top}l${h / 2} ${h / 2}L${box.left} ${box.bottom}M${box.right} ${box.top}l${-h / 2} ${h / 2}L${box.right} ${box.bottom}M${box.left + h / 2} ${middle.y}H${box.right - h / 2}" opacity=".5"></path>
    <path class="d-line" d="M${width - 20} 40V14m-6 8l6 -8 6 8"></path>
    ${letter(n, width - 20, 58)}${letter(s, middle.x, height - 6)}${letter(west, 10, middle.y - 40)}${letter(e, width - 10, middle.y - 40)}
    ${input ? at.spots.map((spot) => wall(spot, box, outlets.some((one) => one.place === spot.place), input.add)) : nothing}
    ${outlets.map((one, k) => (at.outlets[k] ? outlet(one, k, at.outlets[k], open === k, input, box) : nothing))}</svg>`;
}

/** A stretch of wall that adds an outlet; the plus stands only where there is none yet.
 * @param {{place: string, x: number, y: number}} spot @param {any} box @param {boolean} taken @param {(place: string) => void} add */
function wall({ place, x, y }, box, taken, add) {
  const corner = place.length === 2;
  const [w, h] = corner ? [52, 52] : place === "N" || place === "S" ? [box.right - box.left - 56, 52] : [52, box.bottom - box.top - 56];
  return pressed(() => add(place), t.house.add(placeName(place)), svg`<rect class="ring" x=${x - w / 2} y=${y - h / 2} width=${w} height=${h} fill="transparent"></rect>
    ${taken ? nothing : svg`<circle cx=${x} cy=${y} r="13" fill="var(--paper)" stroke="var(--edge)" stroke-width="2" stroke-dasharray="4 4"></circle><path class="d-thin" d="M${x - 6} ${y}h12M${x} ${y - 6}v12"></path>`}`, { part: `wall-${place}` });
}

/**
 * @param {Outlet} one @param {number} n @param {any} at @param {boolean} isOpen @param {House["input"]} input @param {any} box
 */
function outlet(one, n, at, isOpen, input, box) {
  const bad = one.outcome === "violation" || one.outcome === "warning";
  const color = bad ? "var(--violation)" : "var(--ink)";
  const body = svg`${arrow(one.path, at, color)}
    <circle cx=${at.x} cy=${at.y} r="21" fill=${bad ? "var(--violation)" : "var(--paper)"} stroke=${bad ? "var(--paper)" : "var(--ink)"} stroke-width=${isOpen ? 6 : 3}></circle>
    ${isOpen ? svg`<circle cx=${at.x} cy=${at.y} r="25" fill="none" stroke="var(--ink)" stroke-width="2"></circle>` : nothing}
    <text class=${bad ? "t-paper" : "tb"} x=${at.x} y=${at.y + 6} font-size=${one.id.length > 3 ? 13 : 16} text-anchor="middle">${one.id.slice(0, 4)}</text>`;
  // The colour stands beside what is pressed, whose name begins with its number.
  const dye = one.dye ? drop(one, at, box) : nothing;
  if (!input) return svg`${body}${dye}`;
  return svg`${pressed(() => input.go(n), spokenOutlet(one), svg`<circle class="ring" cx=${at.x} cy=${at.y} r="26" fill="transparent"></circle>${body}`, {
    part: `outlet-${n + 1}`, open: isOpen, walk: (step) => input.move(n, turned(one.place, step)), hold: (event) => drag(event, n, one, box, input),
  })}${dye}`;
}

/** Follows a finger until it lifts; the outlet goes to the nearest place. @param {PointerEvent} down @param {number} n @param {Outlet} one @param {any} box @param {NonNullable<House["input"]>} input */
function drag(down, n, one, box, input) {
  const target = /** @type {SVGGElement} */ (down.currentTarget);
  const sheet = /** @type {SVGSVGElement} */ (target.ownerSVGElement);
  let place = one.place;
  let dragging = false;
  target.setPointerCapture(down.pointerId);
  const move = (/** @type {PointerEvent} */ event) => {
    dragging ||= Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > STILL;
    if (!dragging) return;
    const rect = sheet.getBoundingClientRect();
    const scale = sheet.viewBox.baseVal.width / rect.width;
    const to = nearest((event.clientX - rect.left) * scale, (event.clientY - rect.top) * scale, box);
    if (to !== place) { place = to; input.move(n, to); }
  };
  const up = () => {
    target.removeEventListener("pointermove", /** @type {any} */ (move));
    for (const name of ["pointerup", "pointercancel"]) target.removeEventListener(name, up);
    if (!dragging) return;
    // What ends a drag is no press.
    const swallow = (/** @type {Event} */ click) => click.stopImmediatePropagation();
    target.addEventListener("click", swallow, { capture: true });
    setTimeout(() => target.removeEventListener("click", swallow, { capture: true }), 50);
  };
  target.addEventListener("pointermove", /** @type {any} */ (move));
  for (const name of ["pointerup", "pointercancel"]) target.addEventListener(name, up);
}

/** Where the water goes, each way with a head of its own. @param {string} path @param {any} at @param {string} color */
function arrow(path, { x, y, out }, color) {
  if (!path) return nothing;
  return svg`<g transform="translate(${x} ${y}) rotate(${(Math.atan2(out.y, out.x) * 180) / Math.PI})">${way(path, color)}</g>`;
}

/** The arrow of a path, pointing right from the middle of an outlet. @param {string} path @param {string} color */
function way(path, color) {
  const line = (/** @type {string} */ d, dash = "") => svg`<path d=${d} stroke=${color} stroke-width="3" fill="none" stroke-linecap="round" stroke-linejoin="round" stroke-dasharray=${dash || nothing}></path>`;
  const head = (/** @type {number} */ x) => line(`M${x - 8} -7L${x} 0L${x - 8} 7`);
  if (path === "surface") return svg`${line("M24 0H48")}${head(48)}${line("M53 -10V10M58 -6V6")}`;
  if (path === "storm") return svg`${line("M24 0H44")}${head(44)}<circle cx="54" cy="0" r="8" fill="var(--paper)" stroke=${color} stroke-width="3"></circle>`;
  if (path === "sanitary_direct") return svg`${line("M24 0H44")}${head(44)}<circle cx="54" cy="0" r="9" fill=${color}></circle>`;
  if (path === "sanitary_indirect") return svg`${line("M24 0H30M40 0H46")}<rect x="28" y="-6" width="12" height="12" fill="var(--paper)" stroke=${color} stroke-width="2.5"></rect>${head(48)}<circle cx="57" cy="0" r="8" fill=${color}></circle>`;
  return svg`${line("M24 0H50", "1 7")}<circle cx="56" cy="0" r="2.5" fill=${color}></circle>`;
}

/** A drop with the colour by name, inside the wall: full where the dye was seen. @param {Outlet} one @param {any} at @param {any} box */
function drop(one, { x, y }, box) {
  const inward = { x: x <= box.left ? 1 : x >= box.right ? -1 : 0, y: y <= box.top ? 1 : y >= box.bottom ? -1 : 0 };
  const dx = x + inward.x * (inward.y ? 30 : 38);
  const dy = y + inward.y * 38;
  const [anchor, tx] = inward.x < 0 ? ["end", dx - 13] : ["start", dx + 13];
  return svg`<path d="M${dx} ${dy - 11}c5 7 8 10 8 14a8 8 0 0 1 -16 0c0 -4 3 -7 8 -14z" fill=${one.seen ? "var(--ink)" : "var(--paper)"} stroke="var(--ink)" stroke-width="2"></path>
    <text class="t2 d-halo" x=${tx} y=${dy + 6} font-size="14" text-anchor=${anchor}>${one.dye}</text>`;
}

/** The arrows that occur, with what they mean. @param {Outlet[]} outlets */
function legend(outlets) {
  const used = Object.keys(t.house.paths).filter((path) => outlets.some((one) => one.path === path && one.place));
  return used.length ? html`<ul class="key">${used.map((path) => html`<li><svg viewBox="20 -12 48 24" width="48" height="24" aria-hidden="true">${svg`${way(path, "var(--ink)")}`}</svg>${t.house.paths[path]}</li>`)}</ul>` : nothing;
}
