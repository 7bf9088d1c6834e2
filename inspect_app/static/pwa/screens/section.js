/** One section of a form: its drawing, its groups of fields with the findings beside them, and the number pad. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";
import { field as drawField, PADDED } from "../fields/field.js";
import { icon } from "../fields/icons.js";
import { list as drawList, log } from "../fields/list.js";
import { pad } from "../fields/pad.js";
import { inputId, rowFields } from "../fields/spec.js";
import { t } from "../words.js";
import { askFor, askForCell, askForNewRow, figureOf, newRowGroup } from "./asks.js";
import { drawingOf } from "./drawn.js";
import { finding, line } from "./finding.js";
import { counts, groupOfConflict, place } from "./findings.js";
import { isAnswered } from "./form.js";
import { fieldsOfForm, openedBy } from "./opens.js";
import { photoField, signatureField } from "./proofs.js";
import { rowOutcome } from "./rows.js";
import { foundBefore } from "./again.js";
import { reasons, whyButton } from "./why.js";

/** @param {import("./visit.js").Visit} visit @param {any} section */
export function section(visit, section) {
  const groups = section.groups.filter((/** @type {any} */ group) => group.fields.length);
  const fields = groups.flatMap((/** @type {any} */ group) => group.fields);
  const { beside, rest } = place(visit.findings, fields.map((/** @type {any} */ f) => f.field), figureOf(visit));
  const numeric = visit.app.prefers.pad && fields.some((/** @type {any} */ f) => PADDED.has(f.type) || (f.type === "list"
    && rowFields(f).some((/** @type {any} */ c) => PADDED.has(c.type))));
  const order = orderOf(visit, groups);
  const padFor = (/** @type {string} */ id) => pad({ target: id, next: order[order.findIndex((o) => o.id === id) + 1] ?? null,
    go: visit.app.focus });
  const drawing = drawingOf(section.drawing);
  const draw = (/** @type {any} */ g, /** @type {any} */ f) => drawField(prepared(visit, g.group, f, beside[f.field] ?? [], padFor));
  const taken = new Set([...(drawing?.left ?? []), ...(drawing?.right ?? [])]);
  const active = visit.ui.active ?? order.find((o) => o.padded)?.id ?? "";
  const padAt = numeric ? html`<div class="padcol wide-only">${padFor(active)}</div>` : nothing;
  // A drawing over the whole width parts the groups; the pad stands beside the part that it writes.
  const split = drawing?.before ? groups.findIndex((/** @type {any} */ g) => g.group === drawing.before?.groups[0]) : -1;
  const parts = split < 0 ? [groups] : [groups.slice(0, split), groups.slice(split)];
  const mine = Math.max(0, parts.findIndex((part) => orderOf(visit, part).some((o) => o.id === active)));
  const columns = parts.map((part, n) => {
    const body = repeat(part, (/** @type {any} */ g) => g.group, (/** @type {any} */ g) => groupOf(visit, g, draw, taken));
    return html`${n ? before(visit, drawing) : nothing}${drawing?.column
      ? html`<div class="two stackrow"><div class="stackcol">${drawing.column(visit)}${padAt}</div><div class="stackcol wide">${body}</div></div>`
      : html`<div class=${numeric ? "two padrow" : "one"}><div class="stackcol wide">${body}</div>${n === mine ? padAt : nothing}</div>`}`;
  });
  return html`<div class="head"><h1>${section.title}</h1>${section.hint ? html`<p class="meta">${section.hint}</p>`
    : nothing}${fields.length ? undo(visit) : nothing}</div>
    ${drawing?.beside ? lead(visit, drawing, groups, draw) : nothing}
    ${drawing?.below ? drawing.below(visit) : nothing}
    ${groups.length ? columns : section.kind === "custody" ? nothing : empty(visit, section)}
    ${others(visit, rest)}`;
}

/** A section that asks nothing says which answer opens it, and leads there. @param {import("./visit.js").Visit} visit @param {any} section */
function empty(visit, section) {
  const whole = (visit.protocol.sections ?? []).find((/** @type {any} */ one) => one.id === section.id);
  const fields = fieldsOfForm(visit.protocol);
  const { words, names } = openedBy(whole ?? section, { fields, holds: visit.holds });
  const asked = (visit.sections ?? []).flatMap((/** @type {any} */ one) => one.groups.flatMap((/** @type {any} */ group) => group.fields.map((/** @type {any} */ f) => f.field)));
  const ways = names.filter((name) => asked.includes(name));
  return html`<p class="meta">${words.length ? t.form.opens(words) : t.form.empty}</p>
    ${ways.length ? html`<div class="btnrow">${ways.map((name) => html`<a class="btn" href="#/visit/${visit.id}/${fields.get(name)?.section.id}" @click=${() => visit.app.focusNext(inputId(name))}>${t.form.answerIt(fields.get(name)?.label)}</a>`)}</div>` : nothing}`;
}

/**
 * The drawing with the fields that stand at its side.
 * @param {import("./visit.js").Visit} visit
 * @param {import("./drawn.js").Drawing} drawing
 * @param {any[]} groups
 * @param {(group: any, field: any) => any} draw
 */
function lead(visit, drawing, groups, draw) {
  const side = (/** @type {string[]} */ names) => names.map((name) => {
    const group = groups.find((g) => g.fields.some((/** @type {any} */ f) => f.field === name));
    return group ? draw(group, group.fields.find((/** @type {any} */ f) => f.field === name)) : nothing;
  });
  const group = groups.find((g) => g.fields.some((/** @type {any} */ f) => drawing.right.includes(f.field)));
  if (!group) return nothing;
  return html`<div class="gh"><h2 id="g-${group.group}">${group.title}</h2>${whyButton(visit, group)}</div><div class="two dialrow" data-group=${group.group} @focusout=${away(visit, group.group)}>
    <div class="stackcol">${drawing.beside?.(visit)}${side(drawing.left)}</div><div class="stackcol">${side(drawing.right)}</div></div>`;
}

/** A drawing of several groups stands before the first of them; leaving it makes the changes of all.
 * @param {import("./visit.js").Visit} visit @param {import("./drawn.js").Drawing | null} drawing */
function before(visit, drawing) {
  if (!drawing?.before) return nothing;
  const { groups, draw } = drawing.before;
  const out = (/** @type {FocusEvent} */ event) => {
    if (!(/** @type {HTMLElement} */ (event.currentTarget)).contains(/** @type {Node | null} */ (event.relatedTarget))) groups.forEach((one) => visit.leave(one));
  };
  return html`<div @focusout=${out}>${draw(visit)}</div>`;
}

/** Leaving a group makes its change; stepping from the drawing to the fields of the same group is not leaving.
 * @param {import("./visit.js").Visit} visit @param {string} group */
const away = (visit, group) => (/** @type {FocusEvent} */ event) => {
  const to = /** @type {Element | null} */ (event.relatedTarget);
  if (to && to.closest("[data-group]")?.getAttribute("data-group") !== group && !to.closest(".pad")) visit.leave(group);
};

/** Everything that can take the focus, in the order of the form, for the key that names the next field.
 * @param {import("./visit.js").Visit} visit @param {any[]} groups */
function orderOf(visit, groups) {
  return groups.flatMap((group) => group.fields.flatMap((/** @type {any} */ f) => {
    const own = { id: inputId(f.field), label: f.label, padded: PADDED.has(f.type) };
    if (f.type !== "list") return [own];
    const n = f.append_only ? (visit.doc.lists?.[f.field] ?? []).length : visit.ui.rows.get(f.field);
    if (n === undefined) return [];
    return rowFields(f).map((/** @type {any} */ cell) => ({ id: inputId(cell.field, f.field, n + 1), label: cell.label,
      padded: PADDED.has(cell.type) }));
  }));
}

/**
 * @param {import("./visit.js").Visit} visit
 * @param {any} group
 * @param {(group: any, field: any) => any} draw
 * @param {Set<string>} taken fields that stand elsewhere
 */
function groupOf(visit, group, draw, taken) {
  const conflict = (visit.view.conflicts ?? []).find((/** @type {any} */ c) => groupOfConflict(c) === group.group);
  // A title that its first field says again would only be read twice.
  const echo = group.fields[0]?.label === group.title;
  return html`<section class="group" data-group=${group.group} aria-labelledby=${echo ? nothing : `g-${group.group}`} aria-label=${echo ? group.title : nothing} @focusout=${away(visit, group.group)}>
    ${group.fields.some((/** @type {any} */ f) => taken.has(f.field)) || echo ? (echo ? whyButton(visit, group) : nothing) : html`<div class="gh"><h2 id="g-${group.group}">${group.title}</h2>${whyButton(visit, group)}</div>`}
    ${conflict ? html`<a class="line is-warning" href="#/conflict/${visit.id}/${conflict.id}">${icon("o-warning", "o")}<span><b>${t.conflict.notice(group.title ?? group.group)}</b></span>${icon("i-next", "s")}</a>` : nothing}
    ${repeat(group.fields.filter((/** @type {any} */ f) => !taken.has(f.field)), (/** @type {any} */ f) => f.field,
      (/** @type {any} */ f) => draw(group, f))}
    <p class="sr" aria-live="polite">${visit.told[group.group] ?? ""}</p></section>`;
}

/**
 * @param {import("./visit.js").Visit} visit
 * @param {string} group
 * @param {any} f
 * @param {any[]} beside
 * @param {(id: string) => any} padFor
 */
function prepared(visit, group, f, beside, padFor) {
  const env = { village: visit.app.citedAs, visit };
  const ask = { ...askFor(visit, group, f, { beside }), why: reasons(visit, group, f) };
  const lines = beside.filter((one) => !ask.folded || one.outcome !== "pass");
  const after = html`${foundBefore(visit, f.field)}${lines.length ? html`<div class="findings">${lines.map((one) => (isEcho(one, lines) ? line(one, env) : finding(one, env)))}</div>` : nothing}`;
  const padUnder = (/** @type {string} */ id, /** @type {any} */ spec) => (visit.app.prefers.pad && visit.ui.active === id && PADDED.has(spec.type) ? html`<div class="narrow-only">${padFor(id)}</div>` : undefined);
  if (f.type === "list") return { ...ask, after, special: f.append_only ? logOf(visit, group, f, ask, padUnder) : listOf(visit, group, f,
    ask, padUnder) };
  if (f.type === "photo") return { ...ask, after, special: photoField(visit, ask) };
  if (f.type === "signature") return { ...ask, after, special: signatureField(visit, group, ask) };
  return { ...ask, after, padUnder: padUnder(ask.id, f) };
}

/** A rule that sums up others repeats the worst of them: one card is enough, the other rule is named in a line.
 * @param {any} one @param {any[]} all */
const isEcho = (one, all) => !(one.failed ?? []).length && all.some((other) => other !== one && (other.failed ?? []).length
  && other.outcome === one.outcome && other.message === one.message);

/**
 * @param {import("./visit.js").Visit} visit
 * @param {string} group
 * @param {any} f
 * @param {any} ask
 * @param {(id: string, spec: any) => any} padUnder
 */
function listOf(visit, group, f, ask, padUnder) {
  const last = visit.undoable.at(-1);
  const cell = (/** @type {number} */ n, /** @type {any} */ c) => {
    const one = askForCell(visit, group, f, n, c);
    const special = c.type === "photo" ? photoField(visit, one) : undefined;
    return { ...one, special, padUnder: padUnder(one.id, c) };
  };
  return drawList(ask, {
    rows: Array.isArray(ask.value) ? ask.value : [],
    open: visit.ui.rows.get(f.field) ?? null,
    ask: cell,
    outcome: (n) => rowOutcome(visit.findings, f.field, n),
    openRow: (n) => openRow(visit, f, n, (ask.value ?? []).length),
    change: (rows, open) => { visit.set(group, f.field, rows.length ? rows : null, { label: f.label, done: true }); openRow(visit, f,
      open, rows.length); },
    undo: last && last.group === group && last.name === f.field ? () => visit.undo() : null,
    timezone: visit.app.timezone,
  });
}

/** @param {import("./visit.js").Visit} visit @param {any} f @param {number | null} n @param {number} left how many rows there are */
function openRow(visit, f, n, left) {
  const was = visit.ui.rows.get(f.field);
  if (n === null) visit.ui.rows.delete(f.field);
  else visit.ui.rows.set(f.field, n);
  visit.app.render();
  if (n === null && was !== undefined) {
    // Whoever works with keys goes on from the row that was open, or from the way to a new one where none is left.
    visit.app.focus(left ? `row-${f.field}-${Math.min(was + 1, left)}` : `add-${f.field}`);
  }
  const first = rowFields(f)[0];
  if (n !== null && first) visit.app.focus(inputId(first.field, f.field, n + 1));
}

/**
 * @param {import("./visit.js").Visit} visit
 * @param {string} group
 * @param {any} f
 * @param {any} ask
 * @param {(id: string, spec: any) => any} padUnder
 */
function logOf(visit, group, f, ask, padUnder) {
  const holder = newRowGroup(f.field);
  const kept = (visit.doc.lists?.[f.field] ?? []).map((/** @type {any} */ one) => one.row ?? one);
  const keep = async () => {
    const row = Object.fromEntries(Object.entries(visit.values[holder] ?? {}).filter(([, value]) => isAnswered(value)));
    if (!Object.keys(row).length) { ask.setPart({ problem: t.list.unfinished }); return; }
    ask.setPart(undefined);
    if (await visit.attempt(() => visit.app.store.addRow(visit.id, f.field, row))) visit.clearRow(holder);
  };
  return log(ask, {
    kept, cells: rowFields(f), keep, problem: ask.part?.problem ?? "", timezone: visit.app.timezone,
    ask: (cell) => { const one = askForNewRow(visit, f, kept.length + 1, cell); return { ...one, padUnder: padUnder(one.id, cell) }; },
    outcome: (n) => rowOutcome(visit.findings, f.field, n),
  });
}

/** @param {import("./visit.js").Visit} visit */
function undo(visit) {
  const last = visit.undoable.at(-1);
  // The line is there before there is anything to undo: a form that moves under a finger is pressed in the wrong place.
  return html`<p class="undoline">${last ? html`<button class="quiet" type="button"
    @click=${() => visit.undo()}>${icon("i-undo", "s")}${t.form.undo(last.label)}</button>` : nothing}</p>`;
}

/** What could not be judged yet and what does not apply, folded away: neither needs the inspector now.
 * @param {import("./visit.js").Visit} visit @param {any[]} rest */
function others(visit, rest) {
  if (!rest.length) return nothing;
  const n = counts(rest);
  const parts = Object.entries(n).filter(([, k]) => k).map(([outcome, k]) => t.counted[/** @type {"pass"} */ (outcome)](k));
  return html`<section class="sect" aria-labelledby="rest-h"><h2 id="rest-h">${t.form.checked}</h2>
    <details class="more"><summary>${t.form.quiet(parts.join(", "))}</summary><div class="lines">${rest.map((one) => finding(one,
      { village: visit.app.citedAs, visit }))}</div></details></section>`;
}
