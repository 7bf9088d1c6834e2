/** The backfill as a stack of lifts, to scale, from the pipe up. Pressing a lift opens it; up and down walk through them. */
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { asWords, t } from "../words.js";
import { stack as spoken } from "./spoken.js";
import { stackLayout, TALL, TOP } from "./geometry.js";

const LEFT = 18;
const WIDTH = 124;

/**
 * @param {object} trench
 * @param {any[]} trench.rows lifts from the pipe up
 * @param {number[]} trench.depths inches
 * @param {(string | null)[]} trench.outcomes
 * @param {{bedding: number, pipe: number, cover: number}} trench.around inches; cover 0 where it is not known
 * @param {boolean} trench.tracer whether a wire is laid above the pipe
 * @param {number | null} trench.open the lift in the editor, from 0
 * @param {number[]} trench.limits of the open lift, inches, smallest first
 * @param {((n: number) => void) | null} trench.go opens a lift; null where it is only shown
 */
export function stack({ rows, depths, outcomes, around, tracer, open, limits, go }) {
  if (!rows.length) return nothing;
  const key = (/** @type {KeyboardEvent} */ event, /** @type {number} */ n) => {
    const next = event.key === "ArrowUp" ? n + 1 : event.key === "ArrowDown" ? n - 1 : event.key === "Enter"
      || event.key === " " ? n : null;
    if (next !== null && next >= 0 && next < rows.length) { event.preventDefault(); go?.(next); }
  };
  return html`<figure class="stackfig" data-drawing="backfill">${drawn({ rows, depths, outcomes, around, tracer, open, limits, go }, key)}<figcaption class="sr">${spoken(rows, depths, around.cover, outcomes, tracer)}</figcaption></figure>`;
}

/** @param {any} trench @param {(event: KeyboardEvent, n: number) => void} key */
function drawn({ rows, depths, outcomes, around, tracer, open, limits, go }, key) {
  const at = stackLayout(depths, around);
  const { floor, scale } = at;
  const pipeRadius = (around.pipe / 2) * scale;
  const left = Math.max(0, around.cover - at.filled);
  return svg`<svg class="draw stackdraw" viewBox="0 0 236 ${TOP + TALL + 6}" role=${go ? "group" : "img"} aria-label=${go ? t.drawn.stackName : spoken(rows, depths, around.cover, outcomes, tracer)}>
    <path class="d-line" d="M0 ${TOP}H236" stroke-width="3"></path><path class="d-thin" d="M${LEFT} ${TOP}V${TOP + TALL}H${LEFT + WIDTH}V${TOP}"></path>
    <rect fill="url(#p-stone)" x=${LEFT} y=${floor} width=${WIDTH} height=${(around.bedding + around.pipe) * scale}></rect>
    ${rows.map((/** @type {any} */ row, /** @type {number} */ n) => lift(row, n, at.lifts[n], depths[n], outcomes[n], open, go, key))}
    <circle class="d-pipe" cx=${LEFT + WIDTH / 2} cy=${floor + pipeRadius} r=${pipeRadius} stroke-width="3"></circle><circle class="d-paper" cx=${LEFT + WIDTH / 2} cy=${floor + pipeRadius} r=${pipeRadius * 0.55}></circle>
    ${tracer ? svg`<circle cx=${LEFT + WIDTH / 2} cy=${floor - 4} r="3.5" fill="var(--paper)" stroke="var(--pass)" stroke-width="2.5"></circle><text class="t2 d-halo" x=${LEFT + WIDTH / 2 + 20} y=${floor + pipeRadius + 5} font-size="13">${t.drawn.tracer}</text>` : nothing}
    ${open !== null && at.lifts[open] ? limits.map((/** @type {number} */ limit, /** @type {number} */ k) => limitLine(limit, at.lifts[open], scale, depths[open] > limit, k)) : nothing}
    ${zones(rows, depths, at.lifts).map(({ zone, from, to, depth }) => svg`<path class="d-thin" d="M152 ${to - 2}h8V${from + 2}h-8"></path><text x="166" y=${(from + to) / 2 + 1} font-size="14" class="tb">${asWords(zone).toLowerCase()}</text><text x="166" y=${(from + to) / 2 + 17} font-size="13" class="t2">${depth} in</text>`)}
    ${around.cover && left > 0 && at.top - TOP > 44 ? svg`<path class="d-dash" d="M${LEFT + 8} ${at.top}V${TOP + 4}"></path><text x=${LEFT + 16} y=${(TOP + at.top) / 2} font-size="14" class="tb">${t.drawn.toGrade(left)}</text><text x=${LEFT + 16} y=${(TOP + at.top) / 2 + 18} font-size="13" class="t2">${t.drawn.filled(at.filled, around.cover)}</text>` : nothing}
    <text x=${LEFT} y="17" font-size="13" class="t2">${t.drawn.grade}</text></svg>`;
}

/**
 * @param {any} row
 * @param {number} n
 * @param {{y: number, height: number}} place
 * @param {number} depth
 * @param {string | null} outcome
 * @param {number | null} open
 * @param {((n: number) => void) | null} go
 * @param {(event: KeyboardEvent, n: number) => void} key
 */
function lift(row, n, { y, height }, depth, outcome, open, go, key) {
  const bad = outcome === "violation";
  const focusable = open === null ? n === 0 : n === open;
  const body = svg`<rect class="ring" x=${LEFT} y=${y} width=${WIDTH} height=${Math.max(height,
      1)} fill=${bad ? "url(#p-hatch)" : "url(#p-soil)"} stroke=${bad ? "var(--violation)" : "var(--soil-edge)"} stroke-width="1.5"></rect>
    ${open === n ? svg`<rect x=${LEFT} y=${y} width=${WIDTH} height=${Math.max(height, 1)} fill="none" stroke="var(--ink)" stroke-width="4"></rect>` : nothing}
    ${height > 15 ? svg`<circle class="d-paper" cx=${LEFT + 24} cy=${y + height / 2} r=${Math.min(12, height / 2 - 1)} stroke="var(--ink)" stroke-width="2"></circle><text class="tb" x=${LEFT + 24} y=${y + height / 2 + 5} font-size="13" text-anchor="middle">${n + 1}</text>
      <text class="${bad ? "t-bad" : "tb"} d-halo" x=${LEFT + 48} y=${y + height / 2 + 6} font-size="16">${depth} in</text>` : nothing}`;
  if (!go) return body;
  return svg`<g class="press" id="lift-${n + 1}" role="button" tabindex=${focusable ? 0 : -1}
    aria-label=${t.drawn.lift(n + 1, depth, outcome ? t.outcomes[/** @type {"pass"} */ (outcome)] : "")} @click=${() => go(n)}
    @keydown=${(/** @type {KeyboardEvent} */ e) => key(e, n)}>${body}</g>`;
}

/** How high the lift being typed may become: a line across the trench with its number, in red once it is passed.
 * @param {number} limit inches @param {{y: number, height: number}} lift @param {number} scale @param {boolean} passed @param {number} k */
function limitLine(limit, lift, scale, passed, k) {
  const y = lift.y + lift.height - limit * scale;
  return svg`<path d="M${LEFT - 14} ${y}H${LEFT + WIDTH + 4}" stroke=${passed ? "var(--violation)" : "var(--ink)"} stroke-width="3" stroke-dasharray="8 5" fill="none"></path>
    <text class="${passed ? "t-bad" : "tb"} d-halo" x=${LEFT + WIDTH - 4} y=${k ? y - 5 : y + 16} font-size="14" text-anchor="end" data-limit=${limit}>${limit} in</text>`;
}

/** Neighbouring lifts of one zone under one bracket. @param {any[]} rows @param {number[]} depths @param {{y: number, height: number}[]} places */
function zones(rows, depths, places) {
  /** @type {{zone: string, from: number, to: number, depth: number}[]} */
  const found = [];
  rows.forEach((row, n) => {
    if (!row.zone || !places[n]) return;
    const last = found.at(-1);
    const depth = depths[n];
    if (last && last.zone === row.zone) { last.from = places[n].y; last.depth += depth; }
    else found.push({ zone: row.zone, from: places[n].y, to: places[n].y + places[n].height, depth });
  });
  return found;
}
