/** Before submitting: every finding with its clause, everything that is not answered, and where to go for each. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { clockText } from "../fields/moments.js";
import { icon, outcomeClass, outcomeIcon } from "../fields/icons.js";
import { inputId } from "../fields/spec.js";
import { t } from "../words.js";
import { cite, finding, inBook, needs, sentences } from "./finding.js";
import { CARDS, counts, ORDER, sorted } from "./findings.js";
import { isAnswered, isRequired } from "./form.js";

/** @param {import("./visit.js").Visit} visit */
export function review(visit) {
  const found = sorted(visit.findings);
  const cards = found.filter((f) => CARDS.includes(f.outcome));
  const lines = found.filter((f) => !CARDS.includes(f.outcome));
  const n = counts(found);
  const env = { village: visit.app.citedAs, visit };
  return html`<div class="head"><h1>${t.review.title}</h1><p class="meta">${t.review.lead}</p></div>
    ${submitted(visit)}
    ${visit.submitProblem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${visit.submitProblem}</p>` : nothing}
    <section class="sect" aria-labelledby="rv-f"><h2 id="rv-f">${t.review.findings}</h2>
      <p class="marks">${ORDER.filter((o) => n[o]).map((o) => html`<span class=${outcomeClass(o)}>${outcomeIcon(o)}${t.counted[/** @type {"pass"} */ (o)](n[o])}</span>`)}</p>
      ${visit.judge.ready ? nothing : html`<p class="told">${icon("i-bad", "s")}${t.review.rules}</p>`}
      ${cards.length ? html`<div class="findings">${cards.map((f) => finding(f, env))}</div>` : visit.judge.ready
        ? html`<p class="meta">${t.review.clear}</p>` : nothing}
    </section>
    <section class="sect" aria-labelledby="rv-open"><h2 id="rv-open">${t.review.open}</h2>${open(visit)}</section>
    <section class="sect" aria-labelledby="rv-l"><h2 id="rv-l">${t.review.others}</h2>${found.some((f) => f.clause?.starred)
      ? html`<p class="meta">* ${t.finding.starText}</p>` : nothing}
      ${lines.length ? html`<div class="lines cited">${lines.map((f) => lineWithClause(f, env))}</div>` : nothing}</section>`;
}

/** @param {import("./visit.js").Visit} visit */
function submitted(visit) {
  const { submitted } = visit.doc;
  if (!submitted) return nothing;
  const changed = visit.view.revision_hash !== submitted.revision_hash || visit.hasDrafts;
  return html`<p class="ready" role="status" id="submitted">${outcomeIcon("pass")}<span><b>${t.review.done}</b> ${submitted.at ? t.review.was(clockText(submitted.at, visit.app.timezone)) : ""} ${changed ? t.review.changed : ""}</span></p>`;
}

/** @param {import("./visit.js").Visit} visit */
function open(visit) {
  const missing = visit.unanswered;
  const sections = visit.sections ?? [];
  const photos = visit.slots.filter((/** @type {any} */ slot) => slot.needed && !slot.taken.length);
  const signatures = (visit.protocol.signatures ?? []).filter((/** @type {any} */ one) => isRequired(one, visit.holds)
    && !isAnswered(visit.signed[one.field]));
  if (!missing.length && !photos.length && !signatures.length) return html`<p class="meta">${t.review.none}</p>`;
  const bySection = sections.map((/** @type {any} */ s) => ({ s,
    list: missing.filter((m) => m.section.id === s.id) })).filter((one) => one.list.length);
  const to = (/** @type {string} */ kind) => sections.find((/** @type {any} */ s) => s.kind === kind)?.id ?? "review";
  const item = (/** @type {string} */ section, /** @type {string} */ text, /** @type {string} */ field) => html`<li><a href="#/visit/${visit.id}/${section}" data-open=${field || nothing} @click=${() => field && visit.app.focusNext(inputId(field))}>${text}</a></li>`;
  return html`<div class="opens">${bySection.map(({ s, list }) => html`<div><h3>${s.title}</h3><ul>${list.map(({ field }) => item(s.id, field.label, field.field))}</ul></div>`)}
    ${photos.length ? html`<div><h3>${t.review.photos}</h3><ul>${photos.map((/** @type {any} */ slot) => item(to("photos"), slot.label, ""))}</ul></div>` : nothing}
    ${signatures.length ? html`<div><h3>${t.review.signatures}</h3><ul>${signatures.map((/** @type {any} */ one) => item(to("signatures"), one.role, ""))}</ul></div>` : nothing}</div>`;
}

/**
 * One line with its clause under it: on this screen every finding says what it rests on.
 * @param {any} f
 * @param {{village: string, visit: any}} env
 */
function lineWithClause(f, env) {
  const said = f.outcome === "not_evaluated" ? needs(f, env.visit) : f.outcome === "not_applicable" ? f.reason : f.figure ?? f.value;
  const judged = f.outcome !== "not_applicable" && f.outcome !== "not_evaluated";
  return html`<div class="line ${outcomeClass(f.outcome)}" data-rule=${f.rule} data-outcome=${f.outcome}>${outcomeIcon(f.outcome)}
    <span><b>${t.outcomes[/** @type {"pass"} */ (f.outcome)]}${f.boundary ? `, ${t.finding.limit}` : ""}${said ? ": " : ""}</b>${said ? html`<span class="said">${said}</span>` : nothing}
      <span class="meta">${sentences(f.title, judged && f.message, ...(f.notes ?? []))}</span>
      <span class="cite">${cite(f, env, false)}</span></span>
    ${inBook(f, env)}</div>`;
}
