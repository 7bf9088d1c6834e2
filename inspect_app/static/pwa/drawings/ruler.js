/** The limit as a ruler: the forbidden side hatched, the reading as a mark that touches the limit when it lies on it. */
import { svg } from "../../vendor/lit-html/lit-html.js";

const LEFT = 8;
const WIDTH = 284;

/**
 * A scale that shows limit and reading at a readable distance: from zero where that is near, else a window about both.
 * @param {number} value @param {number} limit @returns {{from: number, to: number, step: number}}
 */
export function scale(value, limit) {
  const top = Math.max(value, limit);
  const low = Math.min(value, limit);
  const near = low >= 0 && low >= top * 0.25 ? low > top * 0.9 && top > 20 : false;
  const from = near ? low - (top - low || top * 0.02) * 4 : Math.min(0, low * 1.1);
  const reach = near ? top + (top - low || top * 0.02) * 4 : Math.min(Math.max(limit * 2, top * 1.15), Math.max(limit * 8, top));
  const to = Math.max(reach, top * 1.02, from + 1e-6);
  const step = niceStep((to - from) / 12);
  return { from, to, step };
}

/** The next of 1, 2, 5 times a power of ten. @param {number} least */
export function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((n) => n * power >= least * 0.999) ?? 10) * power;
}

/** @param {{value: number, limit: number, unit: string, bad: "below" | "above"}} figure @param {string} words of the limit, "limit 6 in" @param {string} outcome */
export function ruler({ value, limit, bad }, words, outcome) {
  const { from, to, step } = scale(value, limit);
  const x = (/** @type {number} */ n) => LEFT + ((Math.min(Math.max(n, from), to) - from) / (to - from)) * WIDTH;
  const ticks = [];
  for (let n = Math.ceil(from / step) * step; n <= to + step / 100; n += step) ticks.push(x(n));
  const hatch = bad === "below" ? [LEFT, x(limit) - LEFT] : [x(limit), LEFT + WIDTH - x(limit)];
  const color = outcome === "violation" ? "var(--violation)" : outcome === "warning" ? "var(--warning)" : "var(--discretion)";
  const labelAt = Math.min(Math.max(x(limit), 44), 256);
  return svg`<svg class="draw" viewBox="0 10 300 52" aria-hidden="true">
    <rect class="d-hatch" x=${hatch[0]} y="23" width=${Math.max(0, hatch[1])} height="14" opacity=".75"></rect>
    <path class="d-line" d="M${LEFT} 30H${LEFT + WIDTH}"></path>
    ${ticks.map((at) => svg`<path class="d-thin" d="M${at.toFixed(1)} 30v6"></path>`)}
    <path class="d-line" d="M${x(limit).toFixed(1)} 18v24" stroke-width="3"></path>
    <text class="tb" x=${labelAt} y="58" font-size="14" text-anchor="middle">${words}</text>
    <path d="M${x(value).toFixed(1)} 29l-8 -13h16z" fill=${color} stroke="var(--paper)" stroke-width="1.5"></path></svg>`;
}
