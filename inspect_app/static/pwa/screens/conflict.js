/** Two versions of one group: what each says, side by side. The inspector sees both; the office settles it. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { clockText } from "../fields/moments.js";
import { shownText } from "../fields/shown.js";
import { say } from "../fields/say.js";
import { asWords, t } from "../words.js";
import { groupOfConflict } from "./findings.js";
import { header } from "./frame.js";
import { Visit } from "./visit.js";

/** @param {any} app @param {string} recordId @param {string} conflictId */
export async function open(app, recordId, conflictId) {
  const visit = await Visit.open(app, recordId);
  const conflict = (visit?.view.conflicts ?? []).find((/** @type {any} */ one) => one.id === conflictId);
  const back = { href: "#/outbox", to: t.places.outbox };
  return { title: t.conflict.title, draw: () => html`${header(app, { title: t.conflict.title, sub: visit?.doc.number ?? visit?.doc.permit_no ?? "", back })}
    <div class="shell"><main id="main" tabindex="-1"><div class="content">${visit && conflict ? body(app, visit, conflict)
      : html`<h1>${t.conflict.title}</h1><p class="meta">${t.conflict.gone}</p><a class="btn" href="#/outbox">${t.nav.back(t.places.outbox)}</a>`}</div></main></div>` };
}

/** @param {any} app @param {Visit} visit @param {any} conflict */
function body(app, visit, conflict) {
  const what = groupOfConflict(conflict);
  const group = visit.protocolGroup(what);
  const versions = versionsOf(app, visit, conflict, what);
  const names = [...new Set(versions.flatMap((v) => Object.keys(v.values)))];
  const spec = (/** @type {string} */ name) => group?.fields.find((/** @type {any} */ f) => f.field === name) ?? { field: name,
    type: typeOf(versions, name), label: say(asWords(name)) };
  const show = (/** @type {any} */ version, /** @type {string} */ name) => shownText(spec(name), version.values[name],
    { timezone: app.timezone }) || t.conflict.none;
  const differs = (/** @type {string} */ name) => new Set(versions.map((v) => show(v, name))).size > 1;
  const title = group?.title ?? say(asWords(what));
  return html`<div class="head"><h1>${title}</h1><p class="meta">${t.conflict.lead(title)}</p></div>
    <div class="scroll" tabindex="0" role="group" aria-label=${t.conflict.caption}><table class="two-versions"><caption class="sr">${t.conflict.caption}</caption>
      <thead><tr><th scope="col">${t.conflict.field}</th>${versions.map((v) => html`<th scope="col"><b>${v.title}</b>${v.who
        ? html`<span class="meta">${v.who}</span>` : nothing}</th>`)}</tr></thead>
      <tbody>${names.sort((a, b) => Number(differs(b)) - Number(differs(a))).map((name) => html`<tr data-field=${name}><th scope="row">${spec(name).label}</th>${versions.map((v) => html`<td>${differs(name) ? html`<span class="diff">${show(v, name)}</span>` : show(v, name)}</td>`)}</tr>`)}</tbody></table></div>`;
}

/**
 * @param {any} app
 * @param {Visit} visit
 * @param {any} conflict
 * @param {string} what
 * @returns {{title: string, who: string, values: Record<string, any>}[]}
 */
function versionsOf(app, visit, conflict, what) {
  const people = new Map((app.reference?.people ?? []).map((/** @type {any} */ p) => [p.id, p.name]));
  const who = (/** @type {any} */ v) => t.conflict.by(/** @type {string} */ (people.get(v.by ?? v.person_id)) ?? v.name ?? "",
    clockText(v.at ?? v.wall, app.timezone));
  const current = conflict.current ?? visit.doc.groups?.[what] ?? { values: {} };
  return [
    ...(conflict.base && Object.keys(conflict.base.values ?? conflict.base).length ? [{ title: t.conflict.before, who: "",
      values: conflict.base.values ?? conflict.base }] : []),
    { title: t.conflict.inForce, who: who(current), values: current.values ?? {} },
    ...(conflict.candidates ?? []).map((/** @type {any} */ c) => ({ title: t.conflict.waiting, who: who(c), values: c.values ?? c.value
      ?? {} })),
  ];
}

/**
 * A field that this tablet's form does not know is shown by the look of its value.
 * @param {{values: Record<string, any>}[]} versions
 * @param {string} name
 */
function typeOf(versions, name) {
  const value = versions.map((v) => v.values[name]).find((one) => one !== undefined);
  return typeof value === "object" && value && "value" in value ? "measure" : Array.isArray(value) ? "choices" : "text";
}
