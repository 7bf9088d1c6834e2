/** The limit as a ruler: the forbidden side hatched, the reading as a mark that touches the limit when it lies on it. */
import { svg } from "../../vendor/lit-html/lit-html.js";
import { scale } from "./geometry.js";

const LEFT = 8;
const WIDTH = 284;

/**
 * @param {{value: number, limit: number, unit: string, bad: "below" | "above"}} figure
 * @param {string} words of the limit, "limit 6 in"
 * @param {string} outcome
 */
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
