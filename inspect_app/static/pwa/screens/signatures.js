/** The signatures of an inspection: above each, in full, what is signed. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { inputId } from "../fields/spec.js";
import { told } from "../fields/told.js";
import { t } from "../words.js";
import { isAnswered, isRequired } from "./form.js";
import { signing } from "./proofs.js";

/** @param {import("./visit.js").Visit} visit @param {any} section */
export function signatures(visit, section) {
  const asked = visit.protocol.signatures ?? [];
  const signed = (/** @type {any} */ one) => isAnswered(visit.signed[one.field]);
  // Counted as in the rail: one that nobody has to give counts once it is given.
  const counted = asked.filter((/** @type {any} */ one) => signed(one) || isRequired(one, visit.holds));
  return html`<div class="head"><h1>${section.title}</h1><p class="meta">${t.sign.done(counted.filter(signed).length, counted.length)}</p></div>
    ${asked.map((/** @type {any} */ one) => html`<section class="sect" data-field=${one.field} aria-labelledby="sign-${one.field}">
      <h2 id="sign-${one.field}">${told(one.role)}${isRequired(one, visit.holds) ? ""
        : html` <span class="opt-note">${t.form.optional}</span>`}</h2>
      ${signing(visit, { field: one.field, role: one.role, says: one.says ?? "" }, inputId(one.field))}</section>`)}`;
}
