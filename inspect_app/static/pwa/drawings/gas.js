/** Gas by depth: the shaft with a row at each depth, a column for each gas with its stop line, a reading past it filled. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { icon } from "../fields/icons.js";
import { t } from "../words.js";
import { GASES } from "./parts.js";
import { gas as spoken } from "./spoken.js";

/**
 * @typedef {object} Depth
 * @property {string} depth as read, or ""
 * @property {Record<string, string>} values as read, by gas
 * @property {Set<string>} past gases that are past their stop line
 * @property {boolean} written whether the row is still being written
 *
 * @typedef {object} Shaft
 * @property {Depth[]} rows from the rim down
 * @property {Record<string, string>} stops what the head of each column says of its stop line, "" where no rule has one
 * @property {((cell: string) => void) | null} go opens the field of the reading being written
 */

/** @param {Shaft} of */
export function gas(of) {
  const { rows, stops, go } = of;
  return html`<figure data-drawing="gas"><div class="scroll" tabindex="0" role="region" aria-label=${t.gas.name}><table class="shaft"><caption class="sr">${spoken(of)}</caption>
    <thead><tr><th scope="col">${t.gas.depth}</th>${GASES.map((gas) => html`<th scope="col"><b>${t.gas.gases[gas]}</b>${stops[gas] ? html`<span class="stopline">${stops[gas]}</span>` : nothing}</th>`)}</tr></thead>
    <tbody>${rows.length ? rows.map((row) => html`<tr class=${row.written ? "written" : ""}><th scope="row">${cell("depth", row.depth, row, go)}</th>
      ${GASES.map((gas) => html`<td class=${row.past.has(gas) ? "past" : ""}>${cell(gas, row.values[gas], row, go)}</td>`)}</tr>`) : html`<tr><td colspan="5">${t.gas.empty}</td></tr>`}</tbody></table></div></figure>`;
}

/** @param {string} gas @param {string} value @param {Depth} row @param {Shaft["go"]} go */
function cell(gas, value, row, go) {
  const words = html`${row.past.has(gas) ? html`${icon("i-bad", "s")}<span class="sr">${t.gas.past}: </span>` : nothing}${value || "–"}`;
  if (!row.written || !go) return words;
  return html`<button type="button" data-cell=${gas} aria-label=${t.gas.write(gas === "depth" ? t.gas.depth : t.gas.gases[gas], [value, row.past.has(gas) && t.gas.past].filter(Boolean).join(", "))} @click=${() => go(gas)}>${words}</button>`;
}
