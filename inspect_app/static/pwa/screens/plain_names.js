// Names in plain words, for the ordinance book: what a reader is told in place of a field, a let or an expression.
// The words are in words.js. The Python twin is inspect_app/domain/plain_names.py; change them together.

import { say, sayValue } from "../fields/say.js";
import { Answers } from "../rules/answers.js";
import { evaluate, parse, Scope } from "../rules/expression.js";
import { formatExact, Fraction } from "../rules/quantities.js";
import { settingsOn } from "../rules/rules.js";
import { childrenOf } from "../rules/tree.js";

/** @typedef {{text: string, isName: boolean}} Piece words as they stand, or what an inspection's own value will be
 * @typedef {{spelled: Record<string, string>, said: Record<string, string>, rows: Record<string, string>, date: string, time: string, or: string, moments: Record<string, string>,
 *   rowOf: (name: string) => string}} Words */

const BLANK = "…";
const MOST_ALTERNATIVES = 4;

export class Names {
  /** @param {{labels: Record<string, string>, pack: import("../rules/rules.js").Pack, day: string, words: Words}} of labels of fields, and of columns as item.column */
  constructor({ labels, pack, day, words }) {
    this.labels = labels;
    this.words = words;
    /** @type {Record<string, any>} */
    this.fields = pack.data.fields;
    this.settings = settingsOn(pack, day);
    this.answers = new Answers(this.fields, pack.units, [this.settings]);
    /** @type {Record<string, any>} the columns of every list: the same name always has the same type */
    this.columns = Object.assign({}, ...Object.values(this.fields).map((spec) => spec.of ?? {}));
  }

  /** "Nearest joint": a field as its form calls it, or the name of a let or an unlisted field in words. @param {string} path @param {any} rule */
  heading(path, rule) {
    const moment = Object.hasOwn(rule.let ?? {}, path) && this.isMoment(path, rule);
    return moment ? this.words.moments[moment] : opening(this.name(path, rule));
  }

  /** "date" or "time" if it is one. @param {string} path @param {any} rule @returns {"date" | "time" | null} */
  isMoment(path, rule) {
    const kind = this.kind(path, rule);
    return kind === "date" || kind === "time" ? kind : null;
  }

  /** The same inside a sentence: "joint upstream", but "CO" and "pH" as they are. @param {string} path @param {any} rule */
  within(path, rule) {
    const name = this.name(path, rule);
    return /^\p{Lu}(\p{Ll}|\b(?!\d))/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
  }

  /** One row of what the rule goes through: "laboratory result". @param {any} rule @returns {string | null} */
  each(rule) {
    const found = this.list(rule);
    return found ? this.words.rows[found] ?? this.words.rowOf(this.within(found, rule)) : null;
  }

  /** The list whose rows the rule goes through. @param {any} rule @returns {string | undefined} */
  list(rule) { return (rule.each ? namesOf(parse(rule.each)) : []).find((name) => this.fields[name]?.type === "list"); }

  /** A sentence of the rule, with settings as they are and names where an inspection's own values will stand.
   * @param {string} sentence @param {any} rule @returns {Piece[]} */
  said(sentence, rule) {
    const parts = sentence.split(/\{([^{}]*)\}/);
    /** @type {Piece[]} */
    const pieces = [];
    for (const [at, part] of parts.entries()) {
      // A blank ends its sentence by itself.
      if (at % 2 === 0) pieces.push({ text: pieces.at(-1)?.text === BLANK ? part.replace(/^\./, "") : part, isName: false });
      else pieces.push(this.standsFor(part, rule, pieces.map((piece) => piece.text).join(""), parts[at + 1]));
    }
    return pieces.filter((piece) => piece.text);
  }

  /** @param {string} path @param {any} rule @param {string} before @param {string} after @returns {Piece} */
  standsFor(path, rule, before, after) {
    const starts = /(^|[.?!”]\s+)$/.test(before);
    const begun = (/** @type {string} */ text) => ({ text: starts ? opening(text) : text, isName: true });
    const fixed = Object.hasOwn(rule.let ?? {}, path) ? null : this.setting(path);
    if (fixed !== null) return { text: fixed, isName: false };
    const alternatives = this.alternatives(path, rule);
    if (alternatives.length) return begun(alternatives.join(alternatives.some((text) => text.endsWith(".") || text.split(" ").length > 3) ? " / " : this.words.or));
    const moment = this.isMoment(path, rule);
    if (moment) return begun(this.words[moment]);
    const kind = this.kind(path, rule) ?? "";
    if (!this.words.said[path] && ((/^choices?$/.test(kind) && !starts) || (kind === "text" && before.endsWith(": ")))) return { text: BLANK, isName: true };
    return begun(notTwice(this.within(path, rule).split(",")[0], before, after));
  }

  /** @param {string} path @param {any} rule */
  name(path, rule) {
    if (Object.hasOwn(rule.let ?? {}, path)) return say(inWords(path, this.words));
    const own = path.startsWith("item.") ? `${this.list(rule)}.${path.slice(5)}` : path;
    const name = path.replace("item.", "");
    return this.words.said[path] || this.labels[own] || this.labels[path] || say(inWords(this.isMoment(path, rule) ? name.replace(/_(on|at)$/, "") : name, this.words));
  }

  /** @param {string} path @param {any} rule @returns {string | undefined} */
  kind(path, rule) {
    if (Object.hasOwn(rule.let ?? {}, path)) return rule.let_types?.[path];
    return (path.startsWith("item.") ? this.columns[path.slice(5)] : this.fields[path])?.type;
  }

  /** @param {string} name @returns {string | null} */
  setting(name) {
    const value = Object.hasOwn(this.settings, name) ? this.answers.get(name) : undefined;
    return value instanceof Fraction ? formatExact(value) : typeof value === "string" ? value : null;
  }

  /** The texts or numbers that a let or the rule's value can be, if these are few and all known. @param {string} path @param {any} rule @returns {string[]} */
  alternatives(path, rule) {
    const source = path === "value" ? rule.value : Object.hasOwn(rule.let ?? {}, path) ? rule.let[path] : undefined;
    const found = source && /\?|^\w+$/.test(source) ? this.leaves(parse(source), rule) : null;
    const shown = [...new Set((found ?? []).filter(Boolean))];
    return shown.length <= MOST_ALTERNATIVES ? shown : [];
  }

  /** @param {import("../rules/tree.js").Node} tree @param {any} rule @returns {string[] | null} */
  leaves(tree, rule) {
    if (tree.kind === "choose") {
      const [one, other] = [this.leaves(tree.then, rule), this.leaves(tree.otherwise, rule)];
      return one && other ? [...one, ...other] : null;
    }
    if (tree.kind === "name" && Object.hasOwn(rule.let ?? {}, tree.name)) return this.leaves(parse(rule.let[tree.name]), rule);
    const { value } = evaluate(tree, new Scope(this.answers));
    return value instanceof Fraction ? [formatExact(value)] : typeof value === "string" ? [sayValue(value.replaceAll("_", " "))] : null;
  }
}

/** "bod_result" as "BOD result". @param {string} name @param {Words} words */
export const inWords = (name, words) => words.said[name] ?? name.split("_").map((part) => words.spelled[part.toLowerCase()] ?? part).join(" ");

/** A name without the words that stand beside it already: "Outlet …", "permit number". @param {string} name @param {string} before @param {string} after */
function notTwice(name, before, after) {
  const own = name.toLowerCase().split(/\s+/);
  const left = (before.split(/[.;]\s/).at(-1) ?? "").toLowerCase().match(WORD) ?? [];
  const right = after.split(/[.;](?:\s|$)/)[0].toLowerCase().match(WORD) ?? [];
  const within = (/** @type {string[]} */ all) => own.every((word) => all.includes(word));
  if (within(left) || right[0] === own[0] || (own.length > 1 && within([...left, ...right]))) return BLANK;
  let words = name.split(/\s+/);
  if (left.at(-1) === own[0]) words = words.slice(1);
  if (right[0] === own.at(-1)) words = words.slice(0, -1);
  return words.join(" ") || BLANK;
}
const WORD = /[\p{L}\p{N}_-]+/gu;

/** The text as a sentence begins, but "pH" as it is. @param {string} text */
const opening = (text) => (/^.\p{Lu}/u.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));

/** @param {import("../rules/tree.js").Node} tree @returns {string[]} */
const namesOf = (tree) => (tree.kind === "name" ? [tree.name] : childrenOf(tree).flatMap(namesOf));
