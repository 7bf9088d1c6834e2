/** A row of a list in a few words. Pure. */
import { inSentence, t } from "../words.js";
import { shownValue } from "./shown.js";
import { rowFields } from "./spec.js";

const MEASURED = ["measure", "number", "integer"];

/** A row in a few words: its first choice as name, or a text that comes before the readings; its first reading large, the rest after it.
 * @param {any} listField @param {any} row @param {string} timezone */
export function described(listField, row, timezone) {
  const cells = rowFields(listField).map((/** @type {any} */ cell) => ({ cell, shown: shownValue(cell, row[cell.field], { timezone,
    row }) })).filter((/** @type {any} */ c) => c.shown.value);
  const text = (/** @type {any} */ c) => {
    const shown = [c.shown.value, c.shown.unit].filter(Boolean).join(" ");
    if (MEASURED.includes(c.cell.type)) return `${c.cell.label} ${shown}`; // of several numbers each says what it is
    if (c.cell.type !== "bool3") return shown;
    return row[c.cell.field] === "yes" ? c.cell.label : `${c.cell.label}: ${c.shown.value.toLowerCase()}`;
  };
  const main = cells.find((/** @type {any} */ c) => MEASURED.includes(c.cell.type));
  const before = main ? cells.indexOf(main) : cells.length;
  const name = cells.find((/** @type {any} */ c, /** @type {number} */ n) => c.cell.type === "choice" || (c.cell.type === "text" && n < before));
  const rest = cells.filter((/** @type {any} */ c) => c !== main && c !== name).slice(0,
    4).map((/** @type {any} */ c) => (c.cell.type === "text" ? text(c) : inSentence(text(c)))).join(", ");
  return { name: name ? text(name) : "", rest, main: main?.shown ?? { value: "", unit: "" } };
}

/** What the form calls the nth row, from 1. @param {any} listField @param {number} n */
export const rowTitle = (listField, n) => (listField.row_title ? listField.row_title.replace("{n}", String(n)) : t.list.row(n));
