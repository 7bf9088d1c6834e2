/** Two visits of one place: begin the next one, show what the earlier one found beside the same fields, and lead from one to the other. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { dayWords, wallClock } from "../fields/moments.js";
import { icon, outcomeClass, outcomeIcon } from "../fields/icons.js";
import { sayFigure } from "../fields/say.js";
import { told } from "../fields/told.js";
import { carried } from "../store/carrying.js";
import { t } from "../words.js";
import { figureOf } from "./asks.js";
import { place } from "./findings.js";

/** A record of these states was handed in, so its place can be visited again. */
const HANDED_IN = ["submitted", "in_review", "returned", "approved"];

/** What the earlier visit found about a field. @param {import("./visit.js").Visit} visit @param {string} name */
export function foundBefore(visit, name) {
  const { earlier } = visit;
  if (!earlier) return nothing;
  earlier.beside ??= place(earlier.findings, Object.keys(visit.labels), figureOf(/** @type {any} */ (earlier))).beside;
  return (earlier.beside[name] ?? []).map((/** @type {any} */ f) => html`<p class="line before ${outcomeClass(f.outcome)}" data-before=${f.rule}>${outcomeIcon(f.outcome, "s")}
    <span>${t.again.found(earlier.first, f.figure ? sayFigure(f.figure) : "", t.outcomes[/** @type {"pass"} */ (f.outcome)])}${f.figure ? nothing : html` <span class="meta">${told(f.message)}</span>`}</span></p>`);
}

/** The way to the visits before and after, and to the next one. @param {import("./visit.js").Visit} visit */
export function visits(visit) {
  const { earlier, later, doc, app } = visit;
  const may = HANDED_IN.includes(doc.state);
  if (!doc.parent_record && !later.length && !may) return nothing;
  const way = (/** @type {string} */ id, /** @type {string} */ words) => html`<a class="btn" href="#/visit/${id}/review">${words}${icon("i-next", "s")}</a>`;
  const day = (/** @type {Date} */ at) => dayWords(wallClock(at, app.timezone).day, t.language, "short");
  return html`<nav class="sect" aria-labelledby="rv-a"><h2 id="rv-a">${t.again.title}</h2>
    ${doc.parent_record && !earlier ? html`<p class="meta">${t.again.elsewhere}</p>` : nothing}
    ${earlier ? html`<div class="lines">${earlier.findings.map((/** @type {any} */ f) => html`<div class="line before ${outcomeClass(f.outcome)}">${outcomeIcon(f.outcome, "s")}<span>${told(f.title)}${f.figure ? `: ${sayFigure(f.figure)}` : ""}</span></div>`)}</div>` : nothing}
    <div class="btnrow">${earlier ? way(earlier.id, t.again.earlier(earlier.first, earlier.doc.number ?? day(earlier.at))) : nothing}
      ${later.map((/** @type {any} */ one) => way(one.id, t.again.later(one.number ?? "")))}
      ${may ? html`<button class="btn" type="button" id="again" @click=${() => again(visit)}>${icon("i-undo", "s")}${t.again.begin}</button>` : nothing}</div></nav>`;
}

/** A draft on an earlier form may go on with the newest, on purpose. @param {import("./visit.js").Visit} visit */
export function newerForm(visit) {
  const { doc, reference } = visit;
  const newest = reference?.protocols.find((/** @type {any} */ form) => form.protocol === doc.protocol)?.version;
  if (!newest || newest === doc.protocol_version || !["draft", "returned"].includes(doc.state)) return nothing;
  return html`<section class="sect" data-newer=${newest}><p class="meta">${t.again.newer(doc.protocol_version, newest)}</p>
    <div class="btnrow"><button class="btn" type="button" id="move-form" @click=${() => move(visit)}>${t.again.move(newest)}</button></div></section>`;
}

/** @param {import("./visit.js").Visit} visit */
async function move(visit) {
  const { app, id, reference, assignment } = visit;
  if (!await visit.attempt(() => app.store.moveForm(id))) return;
  visit.judge = await app.makeJudge({ view: visit.view, reference, assignment }); // its conditions read the new form's fields
  visit.take(visit.view);
  app.render();
}

/** Begins the next visit of this place: identity and permit come along, no reading. @param {import("./visit.js").Visit} visit */
async function again(visit) {
  const { app, doc, id, reference } = visit;
  const newest = reference?.protocols.find((/** @type {any} */ form) => form.protocol === doc.protocol);
  const form = newest && await app.store.form(doc.protocol, newest.version);
  await visit.attempt(async () => {
    const child = await app.store.begin({ protocol: doc.protocol, place: doc.place, permit_no: doc.permit_no ?? "", parent_record: id, prefill: carried(form, doc.groups ?? {}) });
    app.go(`#/visit/${child}`);
  });
}
