/** The chain of custody of a manhole visit: entries so far, who holds the samples, and the next entry. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { field as drawField } from "../fields/field.js";
import { icon } from "../fields/icons.js";
import { clockText, dayWords, wallClock } from "../fields/moments.js";
import { message } from "../fields/reading.js";
import { shownText } from "../fields/shown.js";
import { signature, unsigned } from "../fields/signature.js";
import { t } from "../words.js";
import { asks, entries, isGap, lacking, mayFollow, standing } from "./chain.js";
import { header } from "./frame.js";
import { Visit } from "./visit.js";

const HOLDER = ".row:custody";
const TEMP = { field: "temp", type: "measure", unit: "degC", units: ["degC", "degF"] };

/** @param {any} app @param {string} id */
export async function open(app, id) {
  const visit = app.visit?.id === id ? app.visit : await Visit.open(app, id);
  if (!visit) return { draw: () => nothing, title: t.errors.lost };
  app.visit = visit;
  visit.section = visit.section || visit.sections?.[0]?.id || "review";
  return { draw: () => draw(visit), title: `${t.custody.title}, ${visit.doc.place ?? ""}` };
}

/**
 * The way to the chain from the form.
 * @param {import("./visit.js").Visit} visit
 * @param {any} section
 * @param {any} form the fields of the form's own sheet, as the section draws them
 */
export function custodySummary(visit, section, form) {
  const list = entries(visit.doc.custody);
  return html`${form ?? html`<div class="head"><h1>${section.title}</h1></div>`}
    <h2>${t.custody.title}</h2>${holder(list)}${events(visit,
      list)}<a class="btn" href="#/visit/${visit.id}/custody/chain">${icon("i-lock", "s")}${t.custody.form}</a>`;
}

/** @param {import("./visit.js").Visit} visit */
function draw(visit) {
  const list = entries(visit.doc.custody);
  const back = `#/visit/${visit.id}`;
  return html`${header(visit.app, { title: t.custody.title, sub: html`<span class="nb">${visit.doc.number ?? visit.doc.place}</span>`, back: { href: back, to: visit.protocol.title ?? t.places.today } })}
    <div class="shell"><main id="main" tabindex="-1"><div class="content narrow" data-section="custody"><div class="head"><h1>${t.custody.title}</h1><p class="meta">${t.custody.lead}</p></div>
      ${holder(list)}<section class="sect" aria-labelledby="cu-e"><h2 id="cu-e">${t.custody.events}</h2>${events(visit, list)}</section>
      ${form(visit, list)}</div></main></div>
    <footer class="dock"><p class="sum"><b>${t.custody.entries(list.length)}</b><span class="meta">${visit.keepProblem
      || (visit.keptAt ? t.kept(clockText(visit.keptAt.toISOString(), visit.app.timezone,
      true)) : t.keptBefore)}</span></p><a class="btn" href=${back}>${t.welcome.back}</a></footer>`;
}

/** @param {any[]} list */
const holder = (list) => html`<p class="lab" id="holder">${standing(list).holder ? t.custody.holder(standing(list).holder) : t.custody.noHolder}</p>`;

/** @param {import("./visit.js").Visit} visit @param {any[]} list */
function events(visit, list) {
  if (!list.length) return html`<p class="meta">${t.custody.none}</p>`;
  const { timezone } = visit.app;
  return html`<ol class="records chain">${list.map((event, n) => {
    const day = event.at_device ? dayWords(wallClock(new Date(event.at_device), timezone).day, t.language, "short") : "";
    const who = [event.from_role, event.to_role].filter(Boolean).join(" → ");
    const rest = [event.org, event.seal_no && `${t.custody.seal} ${event.seal_no}`, event.seal_state
      && t.custody.sealStates[/** @type {"intact"} */ (event.seal_state)], event.temp && shownText(TEMP, event.temp, { timezone }),
      event.ice_present === "yes" && t.custody.ice].filter(Boolean).join(", ");
    return html`<li class="rec fixed ${isGap(event) ? "is-warning" : ""}" data-row=${n + 1} data-action=${event.action}><span class="n"
      aria-hidden="true">${n + 1}</span>
      <span><b>${t.custody.actions[/** @type {"seal"} */ (event.action)] ?? event.action}${who ? `: ${who}` : ""}</b>${rest
        ? html`<span class="hint">${rest}</span>` : nothing}${isGap(event) ? html`<span class="hint">${t.custody.gap}</span>`
        : nothing}</span>
      <span class="v small">${clockText(event.at_device, timezone)}<span class="meta">${day}</span></span>${isGap(event) ? icon("o-warning", "o") : html`<span></span>`}</li>`;
  })}</ol>`;
}

/** @param {import("./visit.js").Visit} visit @param {any[]} list */
function form(visit, list) {
  const entry = visit.values[HOLDER] ?? {};
  const asked = asks(entry.action ?? "");
  const state = visit.signing.custody ??= unsigned();
  const samples = (visit.answers.containers ?? []).map((/** @type {any} */ c) => c.sample_id).filter(Boolean);
  const keep = async (/** @type {any} */ made) => {
    const lack = lacking(entry, list, Boolean(made));
    const unread = message(TEMP, entry.temp);
    if (lack || unread) { visit.custodyProblem = unread || t.custody[/** @type {"needSign"} */ (lack)]; return visit.app.render(); }
    // The chain is named after the sampling event: that is what stands on the labels and in the office.
    const sample_set = list[0]?.sample_set ?? visit.answers.event_id;
    const event = { ...entry, sample_set, containers_moved: samples.map((/** @type {string} */ sample_id) => ({ sample_id })), at_device: undefined, signature: made ? { name: made.name,
      ...(made.typed ? { typed: made.typed, witness: made.witness } : { points: made.points }) } : null };
    if (await visit.attempt(() => visit.app.store.appendCustody(visit.id,
      event))) { visit.custodyProblem = ""; delete visit.signing.custody; visit.clearRow(HOLDER); }
    else { visit.custodyProblem = visit.keepProblem; visit.app.render(); }
  };
  const ask = (/** @type {any} */ spec) => drawField(simpleAsk(visit, spec));
  const follow = mayFollow(list);
  return html`<section class="editor" aria-labelledby="cu-a"><h2 id="cu-a">${t.custody.add}</h2>
    ${standing(list).state === "offered" ? html`<p class="meta">${t.custody.mustReceive}</p>` : nothing}
    ${ask({ field: "action", type: "choice", label: t.custody.action, choices: Object.fromEntries(follow.map((one) => [one,
      t.custody.actions[/** @type {"seal"} */ (one)]])) })}
    ${asked.from ? ask({ field: "from_role", type: "text", label: asked.to ? t.custody.from : t.custody.by }) : nothing}
    ${asked.to ? ask({ field: "to_role", type: "text", label: t.custody.to }) : nothing}
    ${asked.org ? ask({ field: "org", type: "text", label: t.custody.org, required: false }) : nothing}
    ${asked.seal ? ask({ field: "seal_no", type: "text", label: t.custody.seal, required: entry.action === "seal" }) : nothing}
    ${asked.sealState ? ask({ field: "seal_state", type: "choice", label: t.custody.sealState, choices: t.custody.sealStates }) : nothing}
    ${asked.temp ? html`${ask({ ...TEMP, label: t.custody.temp, required: false })}${ask({ field: "ice_present", type: "bool3", label: t.custody.ice, required: false })}` : nothing}
    ${entry.action ? html`<p class="meta">${samples.length ? `${t.custody.allContainers} ${samples.join(", ")}` : t.custody.noContainers}</p>` : nothing}
    ${visit.custodyProblem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${visit.custodyProblem}</p>` : nothing}
    ${asked.sign ? signature({ id: "field-signature", role: t.custody.actions[/** @type {"seal"} */ (entry.action)], says: "", state,
      change: visit.app.render, sign: keep, button: t.custody.keep, witness: visit.app.person?.name ?? "" })
      : html`<button class="btn go" type="button" @click=${() => keep(null)}>${t.custody.keep}</button>`}</section>`;
}

/** @param {import("./visit.js").Visit} visit @param {any} spec */
function simpleAsk(visit, spec) {
  const id = `field-${spec.field}`;
  const value = visit.value(HOLDER, spec.field);
  return /** @type {any} */ ({
    field: spec, name: spec.field, id, label: spec.label, value, required: spec.required !== false,
    set: (/** @type {any} */ next) => { visit.custodyProblem = ""; visit.set(HOLDER, spec.field, next, { undo: false }); },
    done: () => {}, setPart: () => {}, setUnit: (/** @type {string} */ unit) => { visit.ui.units.set(id, unit); visit.app.render(); },
      unit: visit.ui.units.get(id), pad: false, focused: () => {}, folded: false, open: () => {}, copied: "",
    message: visit.quiet ? message(spec, value) : "", now: visit.app.now, timezone: visit.app.timezone, position: visit.app.measuredPosition,
  });
}
