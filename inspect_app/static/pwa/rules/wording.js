// Numbers, days and times in the sentences of a finding.
// The Python twin is inspect_app/domain/wording.py; change both together.

import { isObject, own } from "./answers.js";
import * as calendar from "./calendar.js";
import { evaluate, parse } from "./expression.js";
import { exactText, formatExact, Fraction, fromJson, stripBlank } from "./quantities.js";

/**
 * @typedef {import("./values.js").Value} Value
 * @typedef {import("./values.js").Row} Row
 * @typedef {import("./expression.js").Scope} Scope
 * @typedef {{value: string, limit: string, good: string, unit?: string, of?: string[], type?: string}} Figure
 */

const NOT_ANSWERED = "–";
const PLACEHOLDER = /\{([^{}]*)\}/g;
/** @type {Record<string, string>} */
const LABELS = { deg: "°", "°": "°", degF: " °F", degC: " °C", pct: " %", d: " days" };
/** @type {Record<string, string>} */
const SIGNS = { ">": ">", ">=": "≥", "<": "<", "<=": "≤", "==": "=", "!=": "≠" };
/** @type {Record<string, string>} */
const OPPOSITE = { ">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "==" };

/** Fills the sentences of one rule from one inspection's answers. */
export class Wording {
  /**
   * @param {import("./rules.js").Rule} rule
   * @param {import("./answers.js").Answers} answers
   */
  constructor(rule, answers) {
    this.rule = rule;
    this.answers = answers;
  }

  /**
   * The template with every `{name}` replaced; what is not answered becomes a dash.
   * @param {string} template
   * @param {Scope} scope
   * @param {Row | null} [row]
   * @param {string} [value]
   */
  fill(template, scope, row = null, value = "") {
    return template.replace(PLACEHOLDER, (_, name) => {
      if (name === "row" && row) return String(row.row);
      if (name === "value" && value) return value;
      const result = evaluate(parse(name), scope);
      return result.value === undefined ? NOT_ANSWERED : this.show(result.value, this.kind(name, row));
    });
  }

  /**
   * A value as a person reads it; `kind` is the type of the field or let it comes from.
   * @param {Value} value
   * @param {string | undefined} kind
   * @returns {string}
   */
  show(value, kind) {
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (value instanceof Fraction) return this.number(value, kind);
    if (typeof value === "string") return kind === "choice" || kind === "choices" ? value.replaceAll("_", " ") : value;
    return Array.isArray(value) ? value.map((item) => this.show(item, kind)).join(", ") : NOT_ANSWERED;
  }

  /**
   * The text of a classification: not rounded, `true` and `false` for yes and no.
   * @param {Value} value
   * @param {string | undefined} kind
   */
  exact(value, kind) {
    if (value instanceof Fraction) return kind ? this.number(value, kind) : exactText(value);
    return typeof value === "boolean" || typeof value === "string" ? String(value) : this.show(value, kind);
  }

  /**
   * `5.5 in ≤ 6 in`: value, the comparison that was true, limit; null if there is no value.
   * @param {Figure} figure
   * @param {Scope} scope
   * @param {Row | null} row
   */
  figure(figure, scope, row) {
    const value = evaluate(parse(figure.value), scope).value;
    const limit = evaluate(parse(figure.limit), scope).value;
    if (!(value instanceof Fraction) || !(limit instanceof Fraction)) return null;
    const sign = SIGNS[holds(figure.good, value, limit) ? figure.good : OPPOSITE[figure.good]];
    const label = labelOf(figure.unit);
    const [left, right] = [value, limit].map((number) => `${this.number(number, figure.type)}${label}`);
    return `${this.asTyped(figure.of ?? [], value, scope, row)}${left} ${sign} ${right}`;
  }

  /**
   * How far the figure's value lies from its limit, in the figure's unit; null if it has no value.
   * @param {Figure} figure
   * @param {Scope} scope
   */
  margin(figure, scope) {
    const value = evaluate(parse(figure.value), scope).value;
    const limit = evaluate(parse(figure.limit), scope).value;
    if (!(value instanceof Fraction) || !(limit instanceof Fraction)) return null;
    const apart = value.minus(limit);
    return apart.compare(new Fraction(0n)) < 0 ? apart.negated() : apart;
  }

  /**
   * `15.0 cm = ` where the value was typed in another unit than the field's, otherwise nothing.
   * @param {string[]} paths
   * @param {Fraction} value
   * @param {Scope} scope
   * @param {Row | null} row
   */
  asTyped(paths, value, scope, row) {
    for (const path of paths) {
      const found = evaluate(parse(path), scope).value;
      if (!(found instanceof Fraction) || found.compare(value) !== 0) continue;
      const { spec, raw } = this.answers.typed(placeOf(path, row));
      if (!isObject(raw) || !spec || raw.unit === spec.unit) return "";
      if (!this.answers.units.convert(value, raw.unit, String(spec.unit))) return "";
      const number = typeof raw.value === "string" ? null : fromJson(raw.value);
      return `${number ? formatExact(number) : stripBlank(String(raw.value))}${labelOf(raw.unit)} = `;
    }
    return "";
  }

  /**
   * @param {Fraction} number
   * @param {string | undefined} kind
   */
  number(number, kind) {
    if (kind === "date") return calendar.dayText(Number(number.top / number.bottom));
    if (kind === "clock") return calendar.clockText(Number(number.top / number.bottom));
    if (kind === "time") {
      try {
        return calendar.localTimeText(number, String(this.answers.get("timezone") ?? calendar.DEFAULT_ZONE));
      } catch (refusal) {
        if (refusal instanceof RangeError) return NOT_ANSWERED;
        throw refusal;
      }
    }
    return formatExact(number);
  }

  /**
   * @param {string} path
   * @param {Row | null} row
   */
  kind(path, row) {
    if (own(this.rule.let, path) !== undefined) return own(this.rule.let_types, path);
    return this.answers.typed(placeOf(path, row)).spec?.type;
  }
}

/**
 * `lifts[1].depth` for `item.depth` in the second row.
 * @param {string} path
 * @param {Row | null} row
 */
function placeOf(path, row) {
  return row && path.startsWith("item.") ? `${row.path}${path.slice(4)}` : path;
}

/** @param {string | undefined | null} unit */
export function labelOf(unit) {
  return unit ? (own(LABELS, unit) ?? ` ${unit}`) : "";
}

/**
 * @param {string} sign
 * @param {Fraction} value
 * @param {Fraction} limit
 */
export function holds(sign, value, limit) {
  const order = value.compare(limit);
  if (sign === "==" || sign === "!=") return (order === 0) === (sign === "==");
  if (sign === "<" || sign === ">=") return order < 0 === (sign === "<");
  return order > 0 === (sign === ">");
}
