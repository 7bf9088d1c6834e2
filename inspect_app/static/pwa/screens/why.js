/** Why a form asks: on a press, each field of a group says what its answer is for, and which rules read it. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { told } from "../fields/told.js";
import { t } from "../words.js";
import { inBook } from "./finding.js";

/** The button at the head of a group. @param {import("./visit.js").Visit} visit @param {any} group */
export function whyButton(visit, group) {
  const { why } = visit.ui;
  const shown = why.has(group.group);
  const press = () => { why[shown ? "delete" : "add"](group.group); visit.app.render(); };
  return html`<button class="quiet why" type="button" aria-expanded=${shown} @click=${press}>${t.form.why}<span class="sr">: ${group.title}</span></button>`;
}

/** What a field is asked for, while its group says so. @param {import("./visit.js").Visit} visit @param {string} group @param {any} field */
export function reasons(visit, group, field) {
  if (!visit.ui.why.has(group)) return undefined;
  const rules = (visit.view.pack?.rules ?? []).filter((/** @type {any} */ rule) => (field.read_by ?? []).includes(rule.id)
    && rule.kinds.includes(visit.doc.protocol));
  return html`<p class="hint reason"><b>${t.form.why}:</b> ${told(field.why)}${rules.length ? "." : ""} ${rules.map((/** @type {any} */ rule) => html`${inBook({ rule: rule.id }, { visit, quiet: true })} `)}</p>`;
}
