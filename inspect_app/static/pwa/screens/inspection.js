/** An open inspection: rail or step bar, the section, the findings so far, and the bar with the worst outcome and the next thing. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed } from "../../vendor/lit-html/directives/keyed.js";
import { clockText, dayWords, wallClock } from "../fields/moments.js";
import { icon, outcomeClass, outcomeIcon } from "../fields/icons.js";
import { say, sayFigure } from "../fields/say.js";
import { told } from "../fields/told.js";
import { inputId } from "../fields/spec.js";
import { inSentence, t } from "../words.js";
import { cameraSheet, interrupted, takePhoto } from "./camera.js";
import { scanSheet } from "./scan.js";
import { custodySummary } from "./custody.js";
import { needs } from "./finding.js";
import { about, CARDS, counts, fieldsOf, ORDER, sorted, worst } from "./findings.js";
import { isAnswered } from "./form.js";
import { header } from "./frame.js";
import { nextSlot, photos } from "./photos.js";
import { practiceBar } from "./practice.js";
import { review } from "./review.js";
import { section as drawSection } from "./section.js";
import { signatures } from "./signatures.js";
import { stopSheet } from "./stop.js";
import { Visit } from "./visit.js";

/** Findings without a decision that the pane names one by one. */
const FEW = 3;

/** Letters of a photo's name that the bar of a phone has room for. */
const SHORT = 16;

/**
 * Opens the inspection of an address, #/visit/<id>/<section>.
 * @param {any} app
 * @param {string} id
 * @param {string} [wanted] section
 */
export async function open(app, id, wanted) {
  const resumed = await app.store.resume();
  let visit = app.visit?.id === id ? app.visit : null;
  const returned = !visit && resumed?.id === id ? resumed : null;
  visit ??= await Visit.open(app, id);
  if (!visit) return { draw: () => missing(app), title: t.errors.lost };
  const sections = visit.sections ?? [];
  const at = wanted ?? returned?.section ?? sections[0]?.id ?? "review";
  if (at !== visit.section) enter(visit, at);
  visit.ui.allSections = false;
  visit.interrupted = returned ? interrupted(returned) : visit.interrupted ?? null;
  const field = returned && returned.section === at && !visit.interrupted ? returned.field : null;
  if (field) reopen(visit, field);
  // The field stays as it was remembered: where one was is not changed by looking at the screen again.
  if (!returned) await app.store.position(id, { section: at, field: null });
  app.visit = visit;
  const title = sections.find((/** @type {any} */ s) => s.id === at)?.title ?? t.review.title;
  return { draw: () => draw(visit), title: `${title}, ${visit.protocol.title ?? ""} ${visit.doc.permit_no ?? ""}`.trim(), focus: field };
}

/** Coming to a section, what was answered before stands folded; nothing folds while one is in it.
 * @param {import("./visit.js").Visit} visit @param {string} section */
function enter(visit, section) {
  const groups = visit.sections?.find((/** @type {any} */ s) => s.id === section)?.groups ?? [];
  visit.section = section;
  visit.evaluate(); // a day may have begun since the last key: what runs out with days is judged by it
  visit.undoable = [];
  visit.ui.active = null;
  visit.ui.open = new Set();
  visit.ui.foldable = new Set(groups.flatMap((/** @type {any} */ g) => g.fields
    .filter((/** @type {any} */ f) => isAnswered(visit.value(g.group, f.field))).map((/** @type {any} */ f) => inputId(f.field))));
}

/** The field one was in is open again, and its row too. @param {import("./visit.js").Visit} visit @param {string} id */
function reopen(visit, id) {
  visit.ui.open.add(id);
  const row = /^field-(.+)-(\d+)-/.exec(id);
  if (row) visit.ui.rows.set(row[1], Number(row[2]) - 1);
}

/** @param {any} app */
const missing = (app) => html`${header(app, { title: t.app, back: { href: "#/", to: t.places.today } })}<main id="main" tabindex="-1" class="content"><p class="lab">${t.form.unavailable}</p><a class="btn" href="#/">${t.errors.home}</a></main>`;

/** @param {import("./visit.js").Visit} visit */
function draw(visit) {
  const { app, doc, protocol } = visit;
  const sections = visit.sections ?? [];
  const at = sections.findIndex((/** @type {any} */ s) => s.id === visit.section);
  const progress = visit.progress;
  const states = sections.map((/** @type {any} */ s, /** @type {number} */ i) => stateOf(visit, s, progress[i], i));
  const isReview = at < 0;
  const name = doc.number ?? doc.permit_no;
  return html`${header(app, { title: protocol.title ?? t.kinds[/** @type {"tap"} */ (doc.protocol)], sub: html`${name
    ? html`<span class="nb">${name}</span>` : nothing}${doc.place ? html`<i class="wide-only">${name ? ", " : ""}${doc.place}</i>`
    : nothing}`, back: app.practising ? { href: "#/practice", to: t.practice.title } : { href: "#/", to: t.places.today } })}
    ${app.practising ? practiceBar(app) : nothing}
    <div class="shell ${isReview ? "" : "three"}">
      <nav class="rail" aria-label=${t.places.sections}><ol>${states.map((state) => railItem(visit, state))}${railItem(visit,
        reviewState(visit, sections.length))}</ol></nav>
      <main id="main" tabindex="-1">
        ${strip(visit, sections, at, states)}
        <div class="content">${returned(visit)}${keyed(visit.section, html`<div class="sectionbody" data-section=${visit.section}>${bodyOf(visit, sections[at])}</div>`)}</div>
      </main>
      ${isReview ? nothing : pane(visit)}
    </div>
    ${dock(visit, sections, at)}${cameraSheet(visit)}${scanSheet(visit)}${stopSheet(visit)}`;
}

/** What the office wants corrected stands above every section until the visit is handed in again.
 * @param {import("./visit.js").Visit} visit */
function returned(visit) {
  const { returned: said, state } = visit.doc;
  if (state !== "returned" || !said) return nothing;
  const { day, time } = wallClock(new Date(said.at), visit.app.timezone);
  return html`<div class="line is-warning" id="returned">${outcomeIcon("warning")}<span><b>${t.form.returned(dayWords(day, t.language, "short"), time)}</b> ${said.reason}</span></div>`;
}

/** @param {import("./visit.js").Visit} visit @param {any} section */
function bodyOf(visit, section) {
  if (!section) return review(visit);
  if (section.kind === "photos") return photos(visit, section);
  if (section.kind === "signatures") return signatures(visit, section);
  if (section.kind === "custody") {
    // The chain is no list of the form: it is signed and hashed, and has a screen of its own.
    const sheet = { ...section, groups: section.groups.filter((/** @type {any} */ g) => g.group !== "custody_events") };
    return custodySummary(visit, section, drawSection(visit, sheet));
  }
  return drawSection(visit, section);
}

/** What the rail says of a section: its worst outcome once it was begun, else its number.
 * @param {import("./visit.js").Visit} visit @param {any} section @param {any} done @param {number} at */
function stateOf(visit, section, done, at) {
  const full = (visit.protocol.sections ?? [])[at];
  const names = (full?.groups ?? []).flatMap((/** @type {any} */ g) => g.fields.map((/** @type {any} */ f) => f.field));
  const found = names.length ? about(visit.findings, names).filter((f) => touches(f, names)) : [];
  const bad = worst(found.filter((f) => CARDS.includes(f.outcome)));
  const n = counts(found);
  const whole = done.begun && !done.open;
  const outcome = bad ?? (whole && n.pass ? "pass" : null);
  const small = bad ? t.counted[/** @type {"violation"} */ (bad)](n[bad]) : section.kind === "photos"
    || section.kind === "signatures" ? (done.of ? t.outbox.of(done.done, done.of) : "") : done.begun
    && done.open ? t.form.toAnswer(done.open) : "";
  return { id: section.id, title: section.title, number: at + 1, outcome, whole, small, begun: done.begun };
}

/**
 * A finding is a section's own where a field that failed is in it; a pass may belong to several.
 * @param {any} f
 * @param {string[]} names
 */
function touches(f, names) {
  const failed = (f.failed ?? []).flatMap((/** @type {any} */ c) => c.fields ?? []);
  if (failed.length) return fieldsOf({ failed: f.failed }).some((name) => names.includes(name));
  // A rule that sums up others reads half the form: it marks a section only where it reads nothing else.
  return !CARDS.includes(f.outcome) || fieldsOf(f).every((name) => names.includes(name));
}

/** @param {import("./visit.js").Visit} visit @param {number} n */
const reviewState = (visit, n) => ({ id: "review", title: t.review.title, number: n + 1, outcome: null,
  whole: Boolean(visit.doc.submitted), small: visit.doc.submitted ? t.today.submitted : "", begun: false });

/** @param {import("./visit.js").Visit} visit @param {any} state */
function railItem(visit, { id, title, number, outcome, whole, small }) {
  return html`<li><a href="#/visit/${visit.id}/${id}" class=${outcomeClass(outcome)} data-outcome=${outcome ?? nothing}
    aria-current=${id === visit.section ? "step" : nothing}>
    ${outcome ? outcomeIcon(outcome) : html`<span class="n"
      aria-hidden="true">${whole ? icon("i-check", "s") : number}</span>`}<span>${title}</span>${small ? html`<small>${small}</small>`
        : nothing}</a></li>`;
}

/**
 * The step bar of a phone.
 * @param {import("./visit.js").Visit} visit
 * @param {any[]} sections
 * @param {number} at
 * @param {any[]} states
 */
function strip(visit, sections, at, states) {
  const number = at < 0 ? sections.length + 1 : at + 1;
  const toggle = () => { visit.ui.allSections = !visit.ui.allSections; visit.app.render(); };
  return html`<div class="strip"><p class="lab">${t.nav.step(number, sections.length + 1, at < 0 ? t.review.title : sections[at].title)}</p>
    <button class="quiet" type="button" aria-expanded=${String(visit.ui.allSections)}
      @click=${toggle}>${visit.ui.allSections ? t.nav.closeSections : t.nav.allSections}</button>
    <ol aria-hidden="true" class="steps">${[...states, null].map((state, i) => html`<li class=${i === number - 1 ? "now" : state?.begun ? "done" : ""}></li>`)}</ol>
    ${visit.ui.allSections ? html`<nav class="all" aria-label=${t.nav.allSections} @click=${toggle}><ol>${states.map((state) => railItem(visit, state))}${railItem(visit, reviewState(visit, sections.length))}</ol></nav>` : nothing}</div>`;
}

/** The findings so far, on a wide screen. @param {import("./visit.js").Visit} visit */
function pane(visit) {
  const list = sorted(visit.findings.filter((f) => CARDS.includes(f.outcome)));
  const names = visit.sections?.find((/** @type {any} */ s) => s.id === visit.section)?.groups.flatMap((/** @type {any} */ g) => g.fields.map((/** @type {any} */ f) => f.field)) ?? [];
  const open = visit.findings.filter((f) => f.outcome === "not_evaluated");
  // What this section could settle stands first.
  const waits = [...about(open, names), ...open.filter((f) => !about([f], names).length)];
  const n = counts(visit.findings);
  return html`<aside class="pane" aria-labelledby="pane-h"><h2 id="pane-h">${t.form.soFar}</h2><div class="lines">
    ${list.map((f) => html`<div class="line ${outcomeClass(f.outcome)}">${outcomeIcon(f.outcome)}<span><b>${t.outcomes[/** @type {"pass"} */ (f.outcome)]}${f.figure ? `: ${sayFigure(f.figure)}` : ""}</b><span class="meta">${told(f.title)}, <span class="nb">${f.rule}</span></span></span></div>`)}
    ${waits.slice(0, FEW).map((f) => html`<div class="line is-open">${outcomeIcon("not_evaluated")}<span><b>${t.outcomes.not_evaluated}</b><span class="meta">${told(f.title)}: ${needs(f, visit)}, <span class="nb">${f.rule}</span></span></span></div>`)}
    ${waits.length > FEW ? html`<div class="line is-open">${outcomeIcon("not_evaluated")}<span><b>${t.form.more(waits.length - FEW)}</b></span></div>` : nothing}
    ${n.pass ? html`<div class="line is-pass">${outcomeIcon("pass")}<span><b>${t.counted.pass(n.pass)}</b><span class="meta">${visit.findings.filter((f) => f.outcome === "pass").map((f) => say(f.title)).slice(0, 4).join(", ")}</span></span></div>` : nothing}
    ${!list.length && !n.pass && !waits.length ? html`<p class="meta">${t.form.nothingYet}</p>` : nothing}</div></aside>`;
}

/** @param {import("./visit.js").Visit} visit @param {any[]} sections @param {number} at */
function dock(visit, sections, at) {
  const n = counts(visit.findings);
  const outcome = ORDER.slice(0, 3).find((one) => n[one]) ?? (n.not_evaluated ? "not_evaluated" : n.pass ? "pass" : null);
  return html`<footer class="dock"><p class="sum">
      ${outcome ? html`<span class="outcome ${outcomeClass(outcome)}" data-worst=${outcome}>${outcomeIcon(outcome)}${t.counted[/** @type {"pass"} */ (outcome)](n[outcome])}</span>` : html`<b>${t.form.nothingYet}</b>`}
      <span class="meta" id="kept" aria-live="off">${visit.keepProblem
        ? html`<span class="told">${icon("i-bad", "s")}${visit.keepProblem}</span>` : visit.pending ? t.keeping : visit.keptAt ? t.kept(clockText(visit.keptAt.toISOString(), visit.app.timezone, true)) : t.keptBefore}</span></p>
    ${nextThing(visit, sections, at)}</footer>`;
}

/** The one next thing, by name. @param {import("./visit.js").Visit} visit @param {any[]} sections @param {number} at */
function nextThing(visit, sections, at) {
  const section = sections[at];
  if (!section) return html`<button class="btn go" type="button" id="submit" ?disabled=${visit.submitting}
    @click=${() => visit.submit()}>${visit.submitting ? t.review.submitting : visit.doc.submitted ? t.review.again : t.review.submit}</button>`;
  const slot = section.kind === "photos" ? nextSlot(visit) : null;
  if (slot) return html`<button class="btn go" type="button"
    @click=${() => takePhoto(visit, slot)}>${icon("i-camera")}<span>${t.photos.shoot}<span class=${slot.label.length > SHORT ? "long" : ""}>: ${inSentence(slot.label)}</span></span></button>`;
  const next = sections[at + 1];
  return html`<a class="btn go" href="#/visit/${visit.id}/${next?.id ?? "review"}">${next ? t.nav.next(next.title) : t.nav.review}${icon("i-next")}</a>`;
}
