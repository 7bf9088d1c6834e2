/** The house with its outlets: the same rows as the list below it, drawn. */
import { house as draw } from "../drawings/house.js";
import { nextId, placeOf, withPlace } from "../drawings/house_layout.js";
import { choicesOf, rowFields } from "../fields/spec.js";
import { specOf } from "./asks.js";
import { rowOutcome } from "./rows.js";

/** @param {any} visit */
export function house(visit) {
  const rows = Array.isArray(visit.answers.outlets) ? visit.answers.outlets : [];
  const cells = rowFields(specOf(visit, "outlets") ?? {});
  const results = choicesOf(cells.find((cell) => cell.field === "result") ?? {});
  return draw({
    outlets: rows.map((/** @type {any} */ row, /** @type {number} */ n) => ({
      id: String(row.id ?? "") || String(n + 1), place: placeOf(row.side), side: row.side ?? "", path: row.path ?? "",
      dye: row.dye_color ?? "", seen: Boolean(row.dye_seen_at), result: results.find(([slug]) => slug === row.result)?.[1] ?? "",
      outcome: rowOutcome(visit.findings, "outlets", n),
    })),
    open: visit.readonly ? null : visit.ui.rows.get("outlets") ?? null,
    input: visit.readonly ? null : inputOf(visit, rows),
  });
}

/** @param {any} visit @param {any[]} rows */
function inputOf(visit, rows) {
  const keep = (/** @type {any[]} */ next) => visit.set("outlets", "outlets", next, { label: visit.labels.outlets, done: true });
  return {
    add: (/** @type {string} */ place) => {
      visit.ui.rows.set("outlets", rows.length);
      keep([...rows, { id: nextId(rows), side: place }]);
      focusOutlet(visit, rows.length);
    },
    move: (/** @type {number} */ n, /** @type {string} */ place) => {
      // The rows of now: a drag goes on while the drawing is made anew under it.
      keep((visit.answers.outlets ?? []).map((/** @type {any} */ row, /** @type {number} */ at) => (at === n ? { ...row, side: withPlace(row.side, place) } : row)));
    },
    go: (/** @type {number} */ n) => { visit.ui.rows.set("outlets", n); visit.app.render(); focusOutlet(visit, n); },
  };
}

/** The drawing stands twice, wide and narrow; the focus goes to the one that is seen. @param {any} visit @param {number} n */
function focusOutlet(visit, n) {
  visit.app.render();
  queueMicrotask(() => queueMicrotask(() => {
    for (const one of document.querySelectorAll(`[data-part=outlet-${n + 1}]`)) if (one.getClientRects().length) /** @type {SVGElement} */ (one).focus();
  }));
}

