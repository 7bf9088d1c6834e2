/** Photo and signature fields inside a form, outside the sections of their own. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { clockText } from "../fields/moments.js";
import { icon } from "../fields/icons.js";
import { picture, ways } from "../fields/photo.js";
import { signature, unsigned } from "../fields/signature.js";
import { t } from "../words.js";
import { takePhoto } from "./camera.js";
import { clockDoubt } from "./clock.js";
import { fromFile } from "./shots.js";

/** @param {import("./visit.js").Visit} visit @param {import("../fields/field.js").Ask} ask */
export function photoField(visit, ask) {
  const slot = { shows: "other", proves: ask.list ?? ask.name, label: ask.label, in_view: ask.hint ?? "", key: ask.id };
  const then = (/** @type {string} */ id) => ask.set(id, { done: true });
  const problem = visit.photoProblem?.key === slot.key ? visit.photoProblem?.text : "";
  return html`${ask.value ? html`<div class="thumb">${picture(visit.app.pictures.url(visit.id, ask.value), t.photos.of(ask.label))}</div>`
    : nothing}
    ${problem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${problem}</p>` : nothing}
    ${ways({ id: ask.id + "-file", label: ask.label, again: Boolean(ask.value), take: () => takePhoto(visit, slot, then),
      file: (file) => fromFile(visit, slot, file, then) })}`;
}

/** What only the person who is signed in signs. */
const OWN = new Set(["signature_inspector", "site_rules_ack"]);

/** @param {any} app @returns {import("../fields/signature.js").Pins} */
const pinsOf = (app) => ({
  has: async () => (await app.pins()).hasPin(app.person.id),
  choose: async (pin) => (await app.pins()).choosePin(app.person.id, pin),
  attempt: async (pin) => (await app.pins()).tryPin(app.person.id, pin),
});

/** A signature among the answers of a group. @param {import("./visit.js").Visit} visit @param {string} group @param {import("../fields/field.js").Ask} ask */
export function signatureField(visit, group, ask) {
  return signing(visit, { field: ask.name, group, role: ask.label, says: ask.hint ?? "" }, ask.id);
}

/** A signature with its state: unsigned, signed as the record stands, or signed and changed since. One that a form asks for
 * among its answers covers what it stands beside, not the whole record, and so does not age.
 * @param {import("./visit.js").Visit} visit @param {{field: string, group?: string, role: string, says: string}} what @param {string} id */
export function signing(visit, { field, group, role, says }, id) {
  const marks = (visit.doc.lists?.signature_marks ?? []).map((/** @type {any} */ one) => one.row ?? one);
  const mark = marks.filter((/** @type {any} */ one) => one.field === field).at(-1);
  const signedNow = visit.value(group ?? "signatures", field);
  const state = visit.signing[field] ??= unsigned(OWN.has(field) ? visit.app.person?.name : "");
  if (mark && signedNow && !state.again) {
    const current = group || mark.revision_hash === visit.view.revision_hash && !visit.hasDrafts;
    return html`<div class="signed"><p>${icon(current ? "i-check" : "i-bad")}<span><b>${t.sign.at(mark.name, clockText(mark.signed_at, visit.app.timezone))}</b><span class="hint">${group ? "" : current ? t.sign.current : t.sign.changed}</span></span></p>
      <button class="btn" type="button" @click=${() => { state.again = true; state.name = mark.name; visit.app.render(); }}>${t.sign.again}<span class="sr">: ${role}</span></button></div>`;
  }
  const doubt = clockDoubt(visit.app.status, visit.app.now(), visit.app.timezone);
  return html`${doubt ? html`<p class="told" role="status">${icon("i-clock", "s")}${doubt}</p>` : nothing}${signature({
    id, role, says, state, change: visit.app.render, button: group ? t.sign.plain : undefined,
    pins: OWN.has(field) ? pinsOf(visit.app) : null, witness: visit.app.person?.name ?? "",
    sign: async (made) => {
      if (await visit.attempt(() => visit.app.store.sign(visit.id, { field, group, role, ...made }))) delete visit.signing[field];
      else state.problem = visit.keepProblem;
      visit.app.render();
    },
  })}`;
}
