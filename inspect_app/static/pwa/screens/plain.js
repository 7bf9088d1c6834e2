// A rule in plain words, for the ordinance book: its limits, what lies on either side, its sentences.
// The Python twins are inspect_app/domain/plain.py and, for order and search, services/book.py; change them together.

import { Answers } from "../rules/answers.js";
import { evaluate, parse, Scope } from "../rules/expression.js";
import { OUTCOMES } from "../rules/one_rule.js";
import { formatExact, Fraction } from "../rules/quantities.js";
import { readPack, settingsOn } from "../rules/rules.js";
import { childrenOf } from "../rules/tree.js";
import { Row } from "../rules/values.js";
import { holds, labelOf } from "../rules/wording.js";
import { say } from "../fields/say.js";
import { lawOf } from "./findings.js";

/**
 * @typedef {import("../rules/wording.js").Figure} Figure
 * @typedef {import("../rules/rules.js").Check & {figure: Figure}} Ruled a check with a figure
 * @typedef {{value: string, outcome: string, onLimit: boolean}} Example
 * @typedef {{value: string | null, good: string, limits: string[], field: string | null, by: string[], on: string,
 *   examples: Example[]}} Limit see the Python twin
 * @typedef {{rule: any, limits: Limit[]}} Part a rule as one form is judged by it
 * @typedef {{id: string, parts: Part[], text: string}} Entry everything under one id, and the text one searches
 */

const PATH = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)?$/;
const NOUGHT = new Fraction(0n);

/** The rules of a pack by id, in the order of the law: village, state, federal. @param {any} data @param {string} day @returns {Entry[]} */
export function entriesOf(data, day) {
  const pack = readPack(data);
  /** @type {Map<string, Part[]>} */
  const together = new Map();
  for (const rule of data.rules) together.set(rule.id, [...(together.get(rule.id) ?? []), { rule, limits: limitsOf(rule, pack, day) }]);
  const entries = [...together].map(([id, parts]) => {
    const { section, letter, heading, quote } = parts[0].rule.clause;
    return { id, parts, text: [id, section, letter, heading, quote, ...parts.flatMap(({ rule }) => [rule.title, say(rule.title)])].filter(Boolean).join(" ").toLowerCase() };
  });
  const order = (/** @type {Entry} */ one) => { const { section, letter = "" } = one.parts[0].rule.clause;
    return [String(["village", "state", "federal"].indexOf(lawOf(section))), section, letter, one.id]; };
  return entries.map((one) => ({ one, by: order(one) })).sort((a, b) => a.by.map((part, n) => part.localeCompare(b.by[n], "en",
    { numeric: true })).find((n) => n !== 0) ?? 0).map(({ one }) => one);
}

/** The one sentence that says what a rule without a limit is about, with its outcome; null if it has none.
 * @param {any} rule @returns {{outcome: string, sentence: string} | null} */
export function requirementOf({ checks = [], passes, value, severity }) {
  if (passes) return { outcome: value !== undefined && !checks.length ? "information" : "pass", sentence: passes };
  const telling = checks.find((/** @type {any} */ check) => check.message.includes("{value}")) ?? checks[0];
  return telling ? { outcome: telling.fails ?? severity, sentence: telling.message } : null;
}

/** The entries in which every word occurs. @param {Entry[]} entries @param {string} text */
export const search = (entries, text) => {
  const words = text.toLowerCase().replaceAll("*", "").split(/\s+/).filter(Boolean);
  return entries.filter((one) => words.every((word) => one.text.includes(word)));
};

/**
 * The limits that a rule has under the settings of a day, in the order of its checks.
 * @param {import("../rules/rules.js").Rule} rule
 * @param {import("../rules/rules.js").Pack} pack
 * @param {string} day
 * @returns {Limit[]}
 */
export function limitsOf(rule, pack, day) {
  const answers = new Answers(pack.data.fields, pack.units, [settingsOn(pack, day)]);
  const lets = new Map(Object.entries(rule.let ?? {}).map(([name, source]) => [name, parse(source)]));
  const checks = rule.checks ?? [];
  const ruled = /** @type {Ruled[]} */ (checks.filter((check) => check.figure));

  /** @param {string} [path] @param {any} [value] */
  const scope = (path, value) => new Scope(answers, lets, new Map(!path ? [] : path.startsWith("item.")
    ? [["item", new Row("item", new Map([[path.slice(5), value]]), 1)]] : [[path, value]]));
  const fails = (/** @type {any} */ check) => check.fails ?? rule.severity;
  const text = (/** @type {Fraction} */ number, /** @type {Figure} */ figure) => (figure.unit === "usd" ? `$${formatExact(number)}` : formatExact(number) + labelOf(figure.unit));

  /** Whether a check holds with this value, null if that hangs on something else.
   * @param {any} check @param {Figure} figure @param {Fraction} value */
  function passes(check, figure, value) {
    const here = scope(figure.value, value);
    const result = evaluate(parse(check.expr), here).value;
    if (typeof result === "boolean") return result;
    if (check.figure?.value !== figure.value) return null;
    const limit = evaluate(parse(check.figure.limit), here).value;
    return limit instanceof Fraction ? holds(check.figure.good, value, limit) : null;
  }

  /** The numbers that a limit can be, and the names on which the choice depends.
   * @param {import("../rules/tree.js").Node} tree @returns {{numbers: Fraction[], by: string[]}} */
  function numbersOf(tree) {
    const number = evaluate(tree, scope()).value;
    if (number instanceof Fraction) return { numbers: [number], by: [] };
    const named = tree.kind === "name" && lets.get(tree.name);
    if (named) return numbersOf(named);
    if (tree.kind === "choose") {
      const [one, other] = [numbersOf(tree.then), numbersOf(tree.otherwise)];
      if (one.numbers.length && other.numbers.length) {
        return { numbers: [...one.numbers, ...other.numbers], by: [...new Set([...namesOf(tree.condition), ...one.by, ...other.by])] };
      }
    }
    return { numbers: [], by: [] };
  }

  /** @param {Ruled[]} together @returns {Limit | null} */
  function limit(together) {
    const { figure } = together[0];
    const { numbers, by } = numbersOf(parse(figure.limit));
    const limits = [...new Set(numbers.map((number) => text(number, figure)))];
    const given = figure.of ?? [];
    const value = lets.has(figure.value) && given.length === 1 && !given[0].startsWith("item.") ? given[0]
      : PATH.test(figure.value) ? figure.value : null;
    if (limits.length !== 1) {
      const field = Object.hasOwn(pack.data.fields, figure.limit) ? figure.limit : null;
      const on = [">=", "<=", "=="].includes(figure.good) ? "pass" : fails(together[0]);
      return limits.length || field ? { value, good: figure.good, limits, field, by, on, examples: [] } : null;
    }
    const [number] = numbers;
    const step = stepOf(number, figure);
    // Nothing that is measured is less than nothing, unless the rule itself asks whether it is.
    const down = number.compare(NOUGHT) !== 0 || figure.good === ">" || figure.good === ">=";
    const near = [number.minus(step), number, number.plus(step)].filter((one) => down || one.compare(number) >= 0);
    const biting = together.find((check) => near.some((one) => passes(check, figure, one) === false));
    if (!biting) return null;
    const examples = near.map((one) => ({ value: text(one, figure), onLimit: one === number,
      outcome: checks.filter((check) => passes(check, figure, one) === false).map(fails)
        .sort((a, b) => OUTCOMES.indexOf(a) - OUTCOMES.indexOf(b))[0] ?? "pass" }));
    if (new Set(examples.map((one) => one.outcome)).size === 1) return null; // it divides values, not outcomes
    const on = examples.find((one) => one.onLimit)?.outcome ?? "pass";
    return { value, good: biting.figure.good, limits, field: null, by: [], on, examples };
  }

  const key = (/** @type {Ruled} */ { figure }) => JSON.stringify([figure.value, figure.limit, figure.unit]);
  return [...new Set(ruled.map(key))].map((one) => limit(ruled.filter((check) => key(check) === one)))
    .filter((one) => one !== null);
}

/** @param {import("../rules/tree.js").Node} tree @returns {string[]} */
const namesOf = (tree) => (tree.kind === "name" ? [tree.name] : tree.kind === "select" ? [tree.field] : childrenOf(tree).flatMap(namesOf));

/** Days and things go up by one; what is measured goes up by a tenth of the limit's last decimal.
 * @param {Fraction} number @param {Figure} figure */
function stepOf(number, figure) {
  if (figure.unit === "d" || (!figure.unit && !figure.limit.includes("."))) return new Fraction(1n);
  let bottom = 10n;
  while (!number.times(new Fraction(bottom, 10n)).isWhole && bottom < 1000000n) bottom *= 10n;
  return new Fraction(1n, bottom);
}
