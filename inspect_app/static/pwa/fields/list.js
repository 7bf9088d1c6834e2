/** A list of records: numbered rows, the open one an editor in place. Adding, copying and undoing name what they do. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { inSentence, t } from "../words.js";
import { field } from "./field.js";
import { icon, outcomeClass, outcomeIcon } from "./icons.js";
import { described, rowTitle } from "./rows.js";
import { rowFields } from "./spec.js";

/**
 * @typedef {object} Rows
 * @property {any[]} rows
 * @property {number | null} open from 0
 * @property {(row: number, cell: any) => import("./field.js").Ask} ask
 * @property {(row: number) => string | null} outcome worst finding of a row
 * @property {(row: number | null) => void} openRow
 * @property {(rows: any[], open: number | null) => void} change
 * @property {(() => void) | null} undo null while there is nothing to undo
 * @property {string} timezone
 */

/** @param {import("./field.js").Ask} ask @param {Rows} list */
export function list(ask, list) {
  const { rows } = list;
  const add = () => list.change([...rows, {}], rows.length);
  const copy = () => list.change([...rows, structuredClone(rows.at(-1))], rows.length);
  return html`
    ${rows.length ? html`<ol class="records">${rows.map((row, n) => html`<li data-row=${n + 1}>${n === list.open ? editor(ask, list, n) : summary(ask, list, row, n)}</li>`)}</ol>` : html`<p class="hint">${t.list.empty}</p>`}
    <div class="btnrow">
      ${rows.length ? html`<button class="btn" type="button"
        @click=${copy}>${icon("i-copy", "s")}${t.list.copy(inSentence(rowTitle(ask.field, rows.length)))}</button>` : nothing}
      <button class="btn" type="button" id="add-${ask.name}" @click=${add}>${icon("i-plus",
        "s")}${ask.field.add ? `${ask.field.add} ${rows.length + 1}` : t.list.add(inSentence(rowTitle(ask.field,
        rows.length + 1)))}</button>
      ${list.undo && list.open === null ? html`<button class="quiet" type="button"
        @click=${list.undo}>${icon("i-undo", "s")}${t.list.undo}</button>` : nothing}
    </div>`;
}

/** @param {import("./field.js").Ask} ask @param {Rows} list @param {number} n */
function editor(ask, list, n) {
  const title = rowTitle(ask.field, n + 1);
  const keys = (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") list.openRow(null); };
  return html`<div class="editor" role="group" aria-label=${title} @keydown=${keys}>
    <div class="t"><h3>${title}</h3><span class="btnrow">${list.undo ? html`<button class="quiet" type="button"
      @click=${list.undo}>${icon("i-undo", "s")}${t.list.undo}</button>` : nothing}
      <button class="quiet" type="button" @click=${() => list.change(list.rows.filter((_, other) => other !== n),
        null)}>${t.list.remove}<span class="sr">, ${title}</span></button></span></div>
    ${rowFields(ask.field).map((/** @type {any} */ cell) => field(list.ask(n, cell)))}
    <button class="btn" type="button" @click=${() => list.openRow(null)}>${t.list.close}</button></div>`;
}

/** @param {import("./field.js").Ask} ask @param {Rows} list @param {any} row @param {number} n */
function summary(ask, list, row, n) {
  const { name, rest, main } = described(ask.field, row, list.timezone);
  const outcome = list.outcome(n);
  const title = rowTitle(ask.field, n + 1);
  return html`<button type="button" class="rec ${outcomeClass(outcome)}" id="row-${ask.name}-${n + 1}" @click=${() => list.openRow(n)}>
    <span class="n" aria-hidden="true">${n + 1}</span>
    <span><b>${name ? html`<span class="sr">${title}, </span>${name}` : title}</b>${rest ? html`<span class="hint">${rest}</span>`
      : nothing}</span>
    <span class="v">${main.value}${main.unit ? html` <small>${main.unit}</small>` : nothing}</span>
    ${outcome ? outcomeIcon(outcome) : html`<span></span>`}</button>`;
}

/**
 * A list to which one only adds: what is kept cannot be changed; one row at a time is written and then kept.
 * @param {import("./field.js").Ask} ask
 * @param {{kept: any[], ask: (cell: any) => import("./field.js").Ask, cells: any[], keep: () => void, problem: string, timezone: string, outcome: (row: number) => string | null}} list
 */
export function log(ask, list) {
  const n = list.kept.length + 1;
  return html`<p class="hint">${t.list.kept}</p>
    ${list.kept.length ? html`<ol class="records">${list.kept.map((row, at) => keptRow(ask, list, row, at))}</ol>` : nothing}
    <div class="editor" role="group" aria-label=${rowTitle(ask.field, n)} data-row=${n}><h3>${rowTitle(ask.field, n)}</h3>
      ${list.cells.map((cell) => field(list.ask(cell)))}
      ${list.problem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${list.problem}</p>` : nothing}
      <button class="btn" type="button" @click=${list.keep}>${t.list.keep}<span class="sr"> ${rowTitle(ask.field,
        n)}</span></button></div>`;
}

/** @param {import("./field.js").Ask} ask @param {any} list @param {any} row @param {number} at */
function keptRow(ask, list, row, at) {
  const { name, rest, main } = described(ask.field, row, list.timezone);
  const outcome = list.outcome(at);
  return html`<li class="rec fixed ${outcomeClass(outcome)}" data-row=${at + 1}><span class="n" aria-hidden="true">${at + 1}</span>
    <span><b>${name || rowTitle(ask.field, at + 1)}</b>${rest ? html`<span class="hint">${rest}</span>` : nothing}</span>
    <span class="v">${main.value}${main.unit ? html` <small>${main.unit}</small>` : nothing}</span>${outcome ? outcomeIcon(outcome)
      : html`<span></span>`}</li>`;
}
