/** Makes what each field of an open inspection needs to be drawn: values from the visit, and ways back into it. */
import { FOLDS, PADDED } from "../fields/field.js";
import { message, plain } from "../fields/reading.js";
import { inputId } from "../fields/spec.js";
import { t } from "../words.js";
import { CARDS, sorted, worst } from "./findings.js";
import { isAnswered, isRequired } from "./form.js";
import { scanCode } from "./scan.js";

/**
 * @param {import("./visit.js").Visit} visit
 * @param {string} group @param {any} field
 * @param {{beside?: any[]}} [around] findings that stand beside it
 * @returns {import("../fields/field.js").Ask}
 */
export function askFor(visit, group, field, { beside = [] } = {}) {
  const id = inputId(field.field);
  const value = visit.value(group, field.field);
  const set = (/** @type {any} */ next, /** @type {any} */ how = {}) => visit.set(group, field.field, next, { label: field.label, ...how });
  return {
    ...common(visit, id, field, value, set),
    folded: isFolded(visit, id, field, value),
    required: isRequired(field, visit.holds),
    copied: { assignment: t.form.copied, visit: t.again.copied, "": "" }[visit.copiedFrom(group, field.field)],
    mark: markOf(beside),
  };
}

/** A field in a row of a list. @param {import("./visit.js").Visit} visit @param {string} group @param {any} list @param {number} n from 0 @param {any} cell
 * @returns {import("../fields/field.js").Ask} */
export function askForCell(visit, group, list, n, cell) {
  const rows = visit.value(group, list.field) ?? [];
  const row = rows[n] ?? {};
  const id = inputId(cell.field, list.field, n + 1);
  const set = (/** @type {any} */ next, /** @type {any} */ how = {}) => {
    const changed = rows.map((/** @type {any} */ other, /** @type {number} */ at) => (at === n ? withValue(row, cell.field, next) : other));
    visit.set(group, list.field, changed, { label: cell.label, ...how });
  };
  return { ...common(visit, id, cell, row[cell.field] ?? null, set), row: n + 1, list: list.field, rowValues: row, mark: rowMark(visit,
    list.field, n, cell.field) };
}

/** A field of the row that is being written to a list one only adds to. @param {import("./visit.js").Visit} visit @param {any} list @param {number} n from 1 @param {any} cell
 * @returns {import("../fields/field.js").Ask} */
export function askForNewRow(visit, list, n, cell) {
  const holder = newRowGroup(list.field);
  const id = inputId(cell.field, list.field, n);
  const set = (/** @type {any} */ next, /** @type {any} */ how = {}) => visit.set(holder, cell.field, next, { label: cell.label, ...how });
  return { ...common(visit, id, cell, visit.value(holder, cell.field), set), row: n, list: list.field, rowValues: visit.values[holder]
    ?? {}, mark: rowMark(visit, list.field, n - 1, cell.field) };
}

/**
 * Where the unfinished row of such a list is kept among the drafts; the dot keeps it out of the groups of the form.
 * @param {string} list
 */
export const newRowGroup = (list) => `.row:${list}`;

/**
 * @param {import("./visit.js").Visit} visit
 * @param {string} id
 * @param {any} field
 * @param {any} value
 * @param {(value: any, how?: any) => void} set
 */
function common(visit, id, field, value, set) {
  const { app, ui } = visit;
  const redraw = () => app.render();
  const active = ui.active === id;
  return {
    field, id, value, set,
    // Beside a sheet of paper every field bears the sheet's number.
    no: isAnswered(visit.answers.transcribed_by) ? field.no ?? "" : "",
    name: field.field, label: field.label ?? field.field, hint: field.hint,
    done: () => visit.quieten(true),
    part: ui.parts.get(id),
    setPart: (/** @type {any} */ part) => { if (part === undefined) ui.parts.delete(id); else ui.parts.set(id, part); redraw(); },
    unit: ui.units.get(id),
    setUnit: (/** @type {string} */ unit) => { ui.units.set(id, unit); redraw(); },
    pad: app.prefers.pad,
    focused: () => visit.app.at(visit, id, PADDED.has(field.type)),
    folded: false,
    open: () => { ui.open.add(id); redraw(); app.focus(id); },
    required: field.required !== false,
    copied: "",
    // Half a number is not yet a mistake: the box is left alone until the hand rests or has gone on.
    message: active && !visit.quiet ? "" : message(field, value),
    choosePlace: app.choosePlace, now: app.now, timezone: app.timezone, position: app.measuredPosition, village: app.reference?.village, receiver: app.prefers.receiver === "outside",
    scan: (/** @type {(text: string) => void} */ found) => scanCode(visit, { id, label: field.label ?? field.field, found }),
  };
}

/** @param {import("./visit.js").Visit} visit @param {string} id @param {any} field @param {any} value */
function isFolded(visit, id, field, value) {
  return FOLDS.has(field.type) && visit.ui.foldable.has(id) && !visit.ui.open.has(id) && isAnswered(value) && !message(field, value)
    && (field.type !== "choice" || choicesCount(field) > 3);
}

/** @param {any} field */
const choicesCount = (field) => (Array.isArray(field.choices) ? field.choices.length : Object.keys(field.choices ?? {}).length);

/** The worst that stands beside a field, for its row and its border. @param {any[]} beside */
function markOf(beside) {
  const outcome = worst(beside);
  const lead = sorted(beside)[0];
  return outcome ? { outcome, figure: CARDS.includes(outcome) ? "" : lead.figure ?? "" } : null;
}

/** @param {import("./visit.js").Visit} visit @param {string} list @param {number} n from 0 @param {string} cell */
function rowMark(visit, list, n, cell) {
  if (!isAnswered(visit.answers[list]?.[n]?.[cell])) return null;
  const path = `${list}[${n}].${cell}`;
  const bad = visit.findings.find((f) => f.outcome === "violation" && (f.failed ?? []).some((/** @type {any} */ c) => (c.fields
    ?? []).includes(path)));
  return bad ? { outcome: "violation", figure: "" } : null;
}

/** @param {any} row @param {string} name @param {any} value */
function withValue(row, name, value) {
  const next = { ...row };
  if (value === null || value === undefined) delete next[name];
  else next[name] = value;
  return next;
}

/** The value of each field as a figure prints it, to find the number that a finding speaks of.
 * @param {import("./visit.js").Visit} visit @returns {(field: string) => string} */
export function figureOf(visit) {
  return (name) => {
    const value = visit.answers[name];
    if (!isAnswered(value)) return "";
    if (typeof value === "object" && value !== null && "value" in value) return plain(value, specOf(visit, name)?.unit) || "?";
    return Array.isArray(value) ? String(value.length) : String(value);
  };
}

/** @param {import("./visit.js").Visit} visit @param {string} name @returns {any} */
export function specOf(visit, name) {
  for (const section of visit.protocol.sections ?? []) for (const group of section.groups ?? []) for (const f of group.fields
    ?? []) if (f.field === name) return f;
  return null;
}


