/** Before submitting: every finding with its clause, everything that is not answered, and where to go for each. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { clockText } from "../fields/moments.js";
import { icon, outcomeClass, outcomeIcon } from "../fields/icons.js";
import { choicesOf, inputId } from "../fields/spec.js";
import { say, sayFigure } from "../fields/say.js";
import { told } from "../fields/told.js";
import { t } from "../words.js";
import { cite, finding, inBook, sentences } from "./finding.js";
import { CARDS, counts, ORDER, sorted } from "./findings.js";
import { isAnswered, isRequired } from "./form.js";
import { isWaiting, waiting } from "./waiting.js";
import { newerForm, visits } from "./again.js";

/** Parts of a review that were unfolded: they are so again when one comes back from the book. */
const unfolded = new Set();

/** As many open answers as are shown without a press. */
const FEW = 6;

/** @param {import("./visit.js").Visit} visit */
export function review(visit) {
  const found = sorted(visit.findings);
  const cards = found.filter((f) => CARDS.includes(f.outcome));
  const { waits, elsewhere } = waiting({ findings: found, protocol: visit.protocol, sections: visit.sections ?? [], unanswered: visit.unanswered,
    values: visit.filled ?? {}, holds: visit.holds });
  const lines = found.filter((f) => !CARDS.includes(f.outcome) && !isWaiting(f) && f.outcome !== "not_applicable");
  const apart = found.filter((f) => f.outcome === "not_applicable");
  const n = counts(found);
  const env = { village: visit.app.citedAs, visit };
  return html`<div class="head"><h1>${t.review.title}</h1><p class="meta">${t.review.lead}</p></div>
    ${submitted(visit)}
    ${visits(visit)}
    ${newerForm(visit)}
    ${visit.submitProblem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${visit.submitProblem}</p>` : nothing}
    <section class="sect" aria-labelledby="rv-f"><h2 id="rv-f">${t.review.findings}</h2>
      <p class="marks">${ORDER.filter((o) => n[o]).map((o) => html`<span class=${outcomeClass(o)}>${outcomeIcon(o)}${t.counted[/** @type {"pass"} */ (o)](n[o])}</span>`)}</p>
      ${visit.judge.ready ? nothing : html`<p class="told">${icon("i-bad", "s")}${t.review.rules}</p>`}
      ${cards.length ? CARDS.filter((o) => n[o]).map((o) => html`<div class="findings"><h3>${t.counted[/** @type {"pass"} */ (o)](n[o])}</h3>${cards.filter((f) => f.outcome === o).map((f) => finding(f, env))}</div>`) : visit.judge.ready
        ? html`<p class="meta">${t.review.clear}</p>` : nothing}
    </section>
    <section class="sect" aria-labelledby="rv-open">${open(visit, waits, elsewhere, env)}</section>
    ${lines.length + apart.length ? html`<section class="sect" aria-labelledby="rv-l"><h2 id="rv-l">${t.review.others}</h2>${[...lines, ...apart].some((f) => f.clause?.starred)
      ? html`<p class="meta">* ${t.finding.starText}</p>` : nothing}
      ${lines.length ? html`<div class="lines cited">${lines.map((f) => lineWithClause(f, env))}</div>` : nothing}
      ${apart.length ? html`<details class="more" ?open=${isUnfolded(visit, "apart")} @toggle=${unfold(visit, "apart")}><summary>${t.counted.not_applicable(apart.length)}</summary><div class="lines cited">${apart.map((f) => lineWithClause(f, env))}</div></details>`
        : nothing}</section>` : nothing}`;
}

/** @param {import("./visit.js").Visit} visit */
function submitted(visit) {
  const { submitted } = visit.doc;
  if (!submitted) return nothing;
  const changed = visit.view.revision_hash !== submitted.revision_hash || visit.hasDrafts;
  if (visit.app.practising) return html`<p class="ready" role="status" id="submitted">${outcomeIcon("pass")}<b>${t.practice.done}</b></p>`;
  return html`<p class="ready" role="status" id="submitted">${outcomeIcon("pass")}<span><b>${t.review.done}</b> ${submitted.at ? t.review.was(clockText(submitted.at, visit.app.timezone)) : ""} ${changed ? t.review.changed : ""}</span></p>`;
}

/** What is not answered, by section, each with the rules that wait for it.
 * @param {import("./visit.js").Visit} visit @param {import("./waiting.js").Wait[]} waits @param {any[]} elsewhere @param {any} env */
function open(visit, waits, elsewhere, env) {
  const sections = visit.sections ?? [];
  const photos = visit.slots.filter((/** @type {any} */ slot) => slot.needed && !slot.taken.length);
  const signatures = (visit.protocol.signatures ?? []).filter((/** @type {any} */ one) => isRequired(one, visit.holds)
    && !isAnswered(visit.signed[one.field]));
  const rules = waits.reduce((sum, wait) => sum + wait.rules.length, 0);
  const answers = waits.reduce((sum, wait) => sum + wait.fields.length, 0) + photos.length + signatures.length;
  const to = (/** @type {string} */ kind) => sections.find((/** @type {any} */ s) => s.kind === kind)?.id ?? "review";
  const insisted = new Set(visit.unanswered.map((one) => one.field.field));
  const item = (/** @type {string} */ section, /** @type {string} */ text, /** @type {string} */ field) => html`<li><a href="#/visit/${visit.id}/${section}" data-open=${field || nothing}
    ?data-insisted=${!field || insisted.has(field)} @click=${() => field && visit.app.focusNext(inputId(field))}>${text}</a></li>`;
  const part = (/** @type {string} */ title, /** @type {number} */ n, /** @type {any} */ items, /** @type {any[] | null} */ held = null) => html`<details ?open=${answers <= FEW || isUnfolded(visit, title)} @toggle=${unfold(visit, title)}><summary><b>${title}</b>
    <span class="meta">${[held && n ? t.form.toAnswer(n) : n, held?.length ? t.review.waits(held.length) : ""].filter(Boolean).join(", ")}</span></summary>
    ${n ? html`<ul>${items}</ul>` : nothing}${held?.length ? ruleList(t.review.held, held, env) : nothing}</details>`;
  return html`<h2 id="rv-open">${rules ? t.review.waitFor(rules) : t.review.open}</h2>
    ${answers || rules ? html`<div class="opens">
      ${waits.map(({ section, fields, rules: held }) => part(section.title, fields.length, fields.map((field) => item(section.id, `${field.label}: ${wayOf(field)}`, field.field)), held))}
      ${photos.length ? part(t.review.photos, photos.length, photos.map((/** @type {any} */ slot) => item(to("photos"), slot.label, ""))) : nothing}
      ${signatures.length ? part(t.review.signatures, signatures.length, signatures.map((/** @type {any} */ one) => item(to("signatures"), say(one.role), ""))) : nothing}</div>`
      : html`<p class="meta">${t.review.none}</p>`}
    ${elsewhere.length ? html`<details class="more" ?open=${isUnfolded(visit, "elsewhere")} @toggle=${unfold(visit, "elsewhere")}><summary>${t.review.elsewhere(elsewhere.length)}</summary>${ruleList("", elsewhere, env)}</details>` : nothing}`;
}

/** Answers that say that there was nothing to measure or to see: they are offered where a form has them. */
const NOTHING = ["not_exposed", "not_seen", "none", "not_checked", "unknown", "not_known"];

/** What to do about a field without an answer: "measure it", "choose, or “Not exposed”". @param {any} field */
function wayOf(field) {
  const nothing = choicesOf(field).find(([slug]) => NOTHING.includes(slug));
  const way = t.review.ways[field.type] ?? t.review.ways.text;
  return nothing ? t.review.or(way, nothing[1]) : way;
}

/** @param {import("./visit.js").Visit} visit @param {string} part */
const unfold = (visit, part) => (/** @type {any} */ event) => unfolded[event.target.open ? "add" : "delete"](`${visit.id} ${part}`);
/** @param {import("./visit.js").Visit} visit @param {string} part */
const isUnfolded = (visit, part) => unfolded.has(`${visit.id} ${part}`);

/** Rules by title, each with the way to its page in the book. @param {string} title @param {any[]} held @param {any} env */
const ruleList = (title, held, env) => html`<div class="held">${title ? html`<p class="meta">${title}</p>` : nothing}${held.map((f) => html`<p data-rule=${f.rule} data-outcome=${f.outcome}>${outcomeIcon(f.outcome, "s")}
  <span>${told(f.title)}</span>${inBook(f, env)}</p>`)}</div>`;

/**
 * One line with its clause under it: on this screen every finding says what it rests on.
 * @param {any} f
 * @param {{village: string, visit: any}} env
 */
function lineWithClause(f, env) {
  const said = f.outcome === "not_evaluated" ? "" : f.outcome === "not_applicable" ? say(f.reason) : sayFigure(f.figure) ?? say(f.value);
  const judged = f.outcome !== "not_applicable";
  return html`<div class="line ${outcomeClass(f.outcome)}" data-rule=${f.rule} data-outcome=${f.outcome}>${outcomeIcon(f.outcome)}
    <span><b>${t.outcomes[/** @type {"pass"} */ (f.outcome)]}${f.boundary ? `, ${t.finding.limit}` : ""}${said ? ": " : ""}</b>${said ? html`<span class="said">${said}</span>` : nothing}
      <span class="meta">${sentences(f.title, judged && f.message, ...(f.notes ?? []))}</span>
      <span class="cite">${cite(f, env, false)}</span></span>
    ${inBook(f, env)}</div>`;
}
