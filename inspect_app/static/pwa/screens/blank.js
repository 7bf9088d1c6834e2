/** A blank form for paper, printed without a signal; templates/blank.html draws the same in the office. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { choicesOf, unitsOf } from "../fields/spec.js";
import { spokenForm } from "../fields/say.js";
import { t, unitWord } from "../words.js";
import { header } from "./frame.js";
import { makeJudge } from "./judge.js";

const STYLE = new URL("../paper.css", import.meta.url).href;

/** @param {any} app @param {string} kind */
export async function open(app, kind) {
  const newest = app.reference?.protocols.find((/** @type {any} */ one) => one.protocol === kind);
  const form = newest && spokenForm(await app.store.form(kind, newest.version));
  const pack = await app.store.pack(app.reference?.pack);
  const doc = { protocol: kind, village: app.reference?.village?.slug };
  const judge = makeJudge({ view: { doc, protocol: form, pack }, reference: app.reference, assignment: null, now: app.now, clockOffsetMs: () => 0 });
  judge.look({}, doc);
  styled();
  return { draw: () => html`${header(app, { title: form?.title ?? "", sub: app.villageName, back: { href: "#/settings", to: t.settings.title } })}<main id="main" class="paper" tabindex="-1">
    <div class="btnrow"><button class="btn go" type="button" id="print" @click=${() => globalThis.print()}>${t.paper.print}</button></div>${form ? sheet(app, form, judge.holds) : nothing}</main>`, title: form?.title ?? t.errors.lost };
}

/** Adds the style of the sheet, which no other screen needs. */
function styled() {
  if (document.querySelector(`link[href="${STYLE}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: STYLE }));
}

/** @param {any} app @param {any} form @param {(condition: string) => boolean | null} holds */
function sheet(app, form, holds) {
  const asked = (/** @type {any} */ one) => !one.shown_when || holds(one.shown_when) !== false;
  const group = (/** @type {any} */ one) => { const fields = one.fields.filter(asked); return fields.length ? html`<h3>${one.title}</h3>${fields.map((/** @type {any} */ f) => (f.row ? rows(f) : row(f)))}` : nothing; };
  return html`<table class="sheet" role="presentation"><thead><tr><td>${app.villageName}. ${t.settings.form(form.title, form.version)}. ${t.paper.record} ______________________</td></tr></thead><tbody><tr><td>
    <h1>${form.title}</h1><p>${t.paper.lead}</p>
    ${form.sections.map((/** @type {any} */ section) => html`<section><h2>${section.title}</h2>${section.hint ? html`<p>${section.hint}</p>` : nothing}${(section.groups ?? []).map(group)}
      ${section.kind === "photos" ? form.photos.filter(asked).map((/** @type {any} */ slot) => html`<div class="ask1"><span class="no">${boxes(1)}</span><span>${slot.label}</span><span>${slot.in_view}</span></div>`) : nothing}
      ${section.kind === "signatures" ? form.signatures.map((/** @type {any} */ one) => html`<div class="ask1"><span></span><span>${one.role}<small>“${one.says}”</small></span><span class="ans"><i class="pad1"></i></span></div>`) : nothing}</section>`)}</td></tr></tbody></table>`;
}

/** @param {any} f */
const name = (f) => html`<span class="no">${f.no}</span><span>${f.label}${f.hint ? html`<small>${f.hint}</small>` : nothing}</span>`;
/** @param {any} f */
const row = (f) => html`<div class="ask1">${name(f)}<span class="ans">${answer(f)}</span></div>`;

/** A list: a table of a few empty rows, or, where a row has many columns, some rows written out. @param {any} f */
function rows(f) {
  const table = f.row.length <= 7 ? html`<table class="lines1"><tr>${f.row.map((/** @type {any} */ cell) => html`<th scope="col"><span class="no">${cell.no}</span> ${cell.label}${cell.unit && cell.unit !== "by_param" ? `, ${unitWord(cell.unit)}` : ""}${cell.choice_labels ? html`<small>${choicesOf(cell).map(([, word]) => word).join(" / ")}</small>` : nothing}</th>`)}</tr>
    ${[1, 2, 3, 4, 5].map(() => html`<tr>${f.row.map(() => html`<td></td>`)}</tr>`)}</table>` : nothing;
  return html`<div class="ask1 whole">${name(f)}<div class="ans">${table}</div></div>
    ${table === nothing ? [1, 2, 3].map((n) => html`<h3>${(f.row_title ?? "{n}").replace("{n}", String(n))}</h3>${f.row.map(row)}`) : nothing}`;
}

/** @param {number} n */
const boxes = (n) => html`<b class="bxs">${Array.from({ length: n }, () => html`<i class="bx"></i>`)}</b>`;
/** @param {string} word */
const tick = (word) => html`<span>${boxes(1)}${word}</span>`;

/** Room for an answer of this kind. @param {any} f */
function answer(f) {
  switch (f.type) {
    case "choice": case "choices": return choicesOf(f).map(([, word]) => tick(word));
    case "bool3": return Object.values(t.answers).map(tick);
    case "measure": case "number": case "integer": {
      const units = f.unit ? unitsOf(f) : [];
      return html`<span>${boxes(7)}</span>${units.length > 1 ? units.map((unit) => tick(unitWord(unit))) : html`<span>${units.map(unitWord)}</span>`}`;
    }
    case "date": return [4, 2, 2].map((n) => html`<span>${boxes(n)}</span>`);
    case "time": return html`<span>${boxes(2)}/${boxes(2)}</span><span>${boxes(2)}:${boxes(2)}</span>`;
    case "clock": return html`<span>${boxes(2)}:${boxes(2)}</span>`;
    case "place": return html`<span>N ${boxes(8)}</span><span>W ${boxes(8)}</span><span>± ${boxes(2)} m</span>`;
    case "signature": return html`<i class="pad1"></i>`;
    default: return html`<i class="ln"></i>`;
  }
}
