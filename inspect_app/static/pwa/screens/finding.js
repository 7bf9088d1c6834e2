/** A finding on the screen: a card for what needs a person, one line for the rest. The figure first, then the law, then us. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ruler } from "../drawings/ruler.js";
import { icon, outcomeClass, outcomeIcon } from "../fields/icons.js";
import { languageOf, say, sayFigure } from "../fields/say.js";
import { told } from "../fields/told.js";
import { asWords, t } from "../words.js";
import { CARDS, fieldOf, lawOf, rulerOf } from "./findings.js";

/**
 * Of several rows one may lie on the limit and another fail: the word stands only by the figure that lies on it.
 * @param {any} f
 */
function onLimit(f) {
  const scale = rulerOf(f);
  return f.boundary && (!scale || scale.value === scale.limit || !CARDS.includes(f.outcome));
}

/** @param {any} f */
const word = (f) => [t.outcomes[/** @type {"pass"} */ (f.outcome)], onLimit(f) && t.finding.limit].filter(Boolean).join(", ");

/**
 * @param {any} finding
 * @param {{village: string, visit?: any, quiet?: boolean}} env quiet: without the hooks, where it is shown a second time
 */
export function finding(finding, env) {
  return CARDS.includes(finding.outcome) ? card(finding, env) : line(finding, env);
}

/** @param {any} f @param {{village: string, visit?: any}} env */
function card(f, env) {
  const scale = rulerOf(f);
  // An angle is no length: the dial shows it.
  const ruled = scale && scale.unit !== "°";
  const said = [f.message ?? f.reason, ...(f.notes ?? [])].filter(Boolean);
  return html`<article class="finding ${outcomeClass(f.outcome)}" data-rule=${f.rule} data-outcome=${f.outcome}>
    <header><h3 class="outcome">${outcomeIcon(f.outcome)}${word(f)}</h3>${inBook(f, env, "")}</header>
    ${f.figure ? html`<p class="figure">${sayFigure(f.figure)}</p>` : nothing}
    ${said.map((sentence) => html`<p class="what" lang=${languageOf(sentence) ?? nothing}>${say(sentence)}</p>`)}
    ${f.outcome === "discretion" && f.body ? html`<p class="what">${t.finding.body(t.bodies[f.body] ?? say(asWords(f.body)))}.</p>` : nothing}
    ${ruled ? ruler(scale, t.finding.limitOf([scale.limit, scale.unit].filter((part) => part !== "").join(" ")), f.outcome) : nothing}
    ${law(f, env)}
    ${read(f, env)}
    ${env.visit ? proof(f, env.visit) : nothing}</article>`;
}

/** How an unclear clause was read, on a press. @param {any} f @param {{visit?: any}} env */
function read(f, env) {
  const reading = env.visit?.judge.reading(f.rule);
  return reading ? html`<details class="star"><summary>${t.book.reading}</summary><p>${told(reading)}</p></details>` : nothing;
}

/**
 * The ordinance's own words; a clause without a quotation is named, never paraphrased in the law's face.
 * @param {any} f
 * @param {{village: string}} env
 */
function law(f, env) {
  const clause = f.clause ?? {};
  const cited = cite(f, env);
  if (!clause.quote) return cited ? html`<div class="cite">${cited}</div>` : nothing;
  return html`<blockquote class="law"><span lang="en">“${clause.quote}”</span><div class="cite">${cited}</div></blockquote>`;
}

/**
 * "Barneveld 270-22* B, a “should”: the office confirms", with the star explained on a press.
 * @param {any} f
 * @param {{village: string}} env
 * @param {boolean} [explain]
 */
export function cite(f, env, explain = true) {
  const { section, starred, letter, heading } = f.clause ?? {};
  if (!section) return nothing;
  const owner = { village: env.village, state: t.finding.state, federal: "" }[lawOf(section)];
  const modal = f.modal === "should" ? t.finding.should : f.modal === "may" ? t.finding.may : "";
  return html`${owner} <span class="nb">${section}${starred ? "*" : ""}${letter ? ` ${letter}` : ""}</span>${heading && !letter ? html`, <span lang="en">${heading}</span>` : ""}${modal ? `, ${modal}` : ""}
    ${starred && explain ? html`<details class="star"><summary>${t.finding.star}</summary><p>${t.finding.starText}</p></details>`
      : nothing}`;
}

/** The rule's id, as the way to its page in the book and back. @param {any} f @param {{visit?: any, quiet?: boolean}} env @param {string} [extra] */
export function inBook(f, env, extra = "meta") {
  const { visit } = env;
  const more = visit ? `?pack=${visit.doc.pack}&from=${encodeURIComponent(`visit/${visit.id}/${visit.section}`)}` : "";
  return html`<a class="rule nb ${extra}" id=${env.quiet ? nothing : `rule-${f.rule}`} href="#/book/${f.rule}${more}">${f.rule}</a>`;
}

/** Which photo proves it, and whether it was taken. @param {any} f @param {any} visit */
function proof(f, visit) {
  const slots = visit.slots.filter((/** @type {any} */ slot) => (f.evidence ?? []).includes(slot.shows));
  const photos = (visit.sections ?? []).find((/** @type {any} */ s) => s.kind === "photos");
  if (!slots.length || !photos) return nothing;
  const missing = slots.filter((/** @type {any} */ slot) => !slot.taken.length);
  return html`<div class="proof"><a class="quiet" href="#/visit/${visit.id}/${photos.id}">${icon("i-photo")}${missing.length ? t.photos.proof.open : t.photos.proof.taken}${icon("i-next", "s")}</a></div>`;
}

/** @param {any} f @param {{village: string, visit?: any, quiet?: boolean}} env */
export function line(f, env) {
  const name = t.outcomes[/** @type {"pass"} */ (f.outcome)];
  const said = f.outcome === "not_evaluated" ? (f.message ? "" : needs(f, env.visit)) : f.outcome === "not_applicable" ? say(f.reason) : sayFigure(f.figure) ?? say(f.value);
  const under = f.outcome === "not_applicable" ? f.title : f.message ?? f.title;
  return html`<div class="line ${outcomeClass(f.outcome)}" data-rule=${env.quiet ? nothing : f.rule} data-outcome=${env.quiet ? nothing : f.outcome}>${outcomeIcon(f.outcome)}
    <span><b>${name}${onLimit(f) ? `, ${t.finding.limit}` : ""}${said ? ": " : ""}</b>${said ? html`<span class="said">${said}</span>` : nothing}<span class="meta">${sentences(under, ...(f.notes ?? []))}</span></span>
    ${inBook(f, env)}</div>`;
}

/** What a rule that could not be judged still needs, in the words of the form; what no form asks, the office holds.
 * @param {any} f @param {any} [visit] */
export function needs(f, visit) {
  const missing = /** @type {string[]} */ ([...new Set((f.missing ?? []).map(fieldOf))]);
  const labels = missing.map((name) => visit?.labels?.[name]).filter(Boolean);
  if (!labels.length) return missing.length ? t.form.needsOffice : say(f.reason) ?? "";
  const shown = labels.length > 3 ? 2 : 3;
  return t.form.needs(labels.slice(0, shown), Math.max(0, labels.length - shown));
}

/** Titles and notes one after the other, each ended before the next begins. @param {...string} parts */
export const sentences = (...parts) => parts.filter(Boolean).map(say).map((part, n, all) => (n < all.length - 1
  && !/[.?!”]$/.test(part) ? `${part}.` : part)).join(" ");
