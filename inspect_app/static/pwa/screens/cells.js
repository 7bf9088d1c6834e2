/** Ways from a drawing into the rows of a list. */
import { inputId } from "../fields/spec.js";

/** Opens a row and puts the focus into one of its cells. @param {any} visit @param {string} list @param {number} n from 0 @param {string} cell */
export function openCell(visit, list, n, cell) {
  visit.ui.rows.set(list, n);
  visit.app.render();
  visit.app.focus(inputId(cell, list, n + 1));
}
