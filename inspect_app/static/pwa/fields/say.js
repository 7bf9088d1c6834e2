/**
 * Words that come with data, in the language spoken: of forms and rules, and the sentences of parts that know no catalogue.
 * They are translated as they are shown, by their English text; what is kept, sent and judged stays as it was written.
 *
 * A translation with {names} in it also fits the sentence with values in their place: "The tap is {distance} in away." says
 * "The tap is 5.5 in away." What has no translation stays English, and says so to a screen reader.
 */
import { inSentence, t } from "../words.js";

/** @typedef {{head: string, tail: string, english: string, own: string, reads?: RegExp, names: string[]}} Pattern */

const NAME = /\{([^{}]*)\}/g;

/** A pattern of fewer letters than this would fit sentences it does not mean. */
const TELLING = 3;

/** @type {Map<string, string>} */
let exact = new Map();
/** @type {Pattern[]} */
let patterns = [];
/** @type {Map<string, string | null>} what was asked for before: the same few texts are drawn at every keystroke */
let known = new Map();
const MOST_KNOWN = 4000;

/** Takes what is said for each English text; of two tables the later counts. None: English is spoken. @param {...Record<string, string>} tables */
export function useTranslations(...tables) {
  exact = new Map(tables.flatMap((table) => Object.entries(table)));
  known = new Map();
  patterns = [...exact].filter(([english]) => english.includes("{") && english.replace(NAME, "").replace(/\P{L}/gu, "").length >= TELLING)
    .map(([english, own]) => ({ english, own, names: [...english.matchAll(NAME)].map((found) => found[1]),
      head: english.slice(0, english.indexOf("{")), tail: english.slice(english.lastIndexOf("}") + 1) }))
    // The one with the most words of its own is meant.
    .sort((a, b) => b.english.replace(NAME, "").length - a.english.replace(NAME, "").length);
}

/** The text in the language spoken; as it is where it has no translation. @template {string | null | undefined} T @param {T} text @returns {T} */
export const say = (text) => /** @type {T} */ ((text && found(text)) ?? text);

/** The language of a text as it is shown, where it is not the page's. @param {string | null | undefined} text */
export const languageOf = (text) => (text && t.language !== "en" && found(text) === null && /\p{L}{2}/u.test(text) ? "en" : null);

/** A figure, "12 days > 10 days": signs and units are the same everywhere. @template {string | null | undefined} T @param {T} figure @returns {T} */
export const sayFigure = (figure) => /** @type {T} */ (figure?.replaceAll(/\bdays\b/g, t.units.days) ?? figure);

/** @param {string} text @returns {string | null} */
function found(text) {
  if (!exact.size) return null;
  let said = known.get(text);
  if (said === undefined) {
    said = whole(text) ?? inParts(text);
    if (known.size >= MOST_KNOWN) known = new Map();
    known.set(text, said);
  }
  return said;
}

/** @param {string} text */
const whole = (text) => exact.get(text) ?? ofRule(text) ?? filled(text);

/** A rule that sums up others names the one that counts: "BV-TAP-02: Kind and size as permitted". @param {string} text */
function ofRule(text) {
  const [, id, title] = /^(\p{Lu}{2}(?:-[\p{Lu}\d]+)+): (.+)$/u.exec(text) ?? [];
  const own = title && exact.get(title);
  return own ? `${id}: ${own}` : null;
}

/** Sentence by sentence, where each has its translation. @param {string} text */
function inParts(text) {
  const sentences = text.split(/(?<=[.?!])\s+(?=[\p{Lu}\d“"])/u);
  const said = sentences.length > 1 ? sentences.map(whole) : [null];
  return said.includes(null) ? null : said.join(" ");
}

/** What reads the values out of a sentence. Of two with nothing between them the first has all words but the last: "chlorine requirement 21".
 * @param {string} english */
function reader(english) {
  const parts = english.split(NAME);
  const any = (/** @type {number} */ n) => (parts[n + 1] === " " && n + 2 < parts.length ? "(.*)" : "(.*?)");
  return new RegExp(`^${parts.map((part, n) => (n % 2 ? any(n) : part.replace(/[.*+?^$()|[\]\\{}]/g, "\\$&"))).join("")}$`, "su");
}

/** @param {string} text */
function filled(text) {
  for (const pattern of patterns) {
    if (!text.startsWith(pattern.head) || !text.endsWith(pattern.tail)) continue;
    pattern.reads ??= reader(pattern.english);
    const values = pattern.reads.exec(text);
    if (!values) continue;
    const given = Object.fromEntries(pattern.names.map((name, n) => [name, values[n + 1]]).reverse());
    return pattern.own.replace(NAME, (_, name) => sayValue(given[name] ?? ""));
  }
  return null;
}

/** A value inside a sentence: a choice in lower case, several of them, yes and no. @param {string} text @returns {string} */
export function sayValue(text) {
  if (text === "yes" || text === "no") return t.answers[text].toLowerCase();
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  const said = exact.get(text) ?? (exact.has(capital) ? inSentence(exact.get(capital) ?? "") : null);
  if (said !== null) return said;
  return text.includes(", ") ? text.split(", ").map(sayValue).join(", ") : text;
}

/** Keys of a form whose text a person reads; the role of a signature is kept with it, so it is translated where it is drawn. */
const WORDS = new Set(["title", "label", "hint", "add", "row_title", "in_view", "says"]);

/** A form in the language spoken: the same form with other words. @template T @param {T} form @returns {T} */
export function spokenForm(form) {
  return t.language === "en" ? form : spoken(form);
}

/** @param {any} node @returns {any} */
function spoken(node) {
  if (Array.isArray(node)) return node.map(spoken);
  if (typeof node !== "object" || node === null) return node;
  let isEnglish = false;
  const word = (/** @type {any} */ text) => { isEnglish ||= languageOf(text) === "en"; return say(text); };
  const words = (/** @type {Record<string, string>} */ labels) => Object.fromEntries(Object.entries(labels).map(([slug, label]) => [slug, word(label)]));
  const own = Object.fromEntries(Object.entries(node).map(([key, inner]) => [key,
    WORDS.has(key) && typeof inner === "string" ? word(inner) : key === "choice_labels" ? words(inner) : typeof inner === "object" ? spoken(inner) : inner]));
  return isEnglish ? { ...own, lang: "en" } : own;
}
