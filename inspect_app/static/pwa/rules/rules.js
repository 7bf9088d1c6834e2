// Judge an inspection by a pack: one finding for each rule of its kind that is in force.
// The Python twin is inspect_app/domain/rules.py: tablet and server must give the same findings.

import { Answers } from "./answers.js";
import { OneRule, OUTCOMES } from "./one_rule.js";
import { Units } from "./quantities.js";

/**
 * @typedef {import("./wording.js").Figure} Figure
 * @typedef {{expr: string, fails?: string, at_limit?: string, figure?: Figure, message: string, open_item?: boolean}} Check
 * @typedef {{id: string, title: string, clause: object, in_force_from: string, kinds: string[], body: string,
 *   modal: string, severity: string, unless?: {expr: string, reason: string}[],
 *   when?: {expr: string, reason: string}[], let?: Record<string, string>, let_types?: Record<string, string>,
 *   each?: string, checks?: Check[], passes?: string, value?: string, value_type?: string, combine?: string[],
 *   soften?: {expr: string, to: string, note: string}[], notes?: {expr: string, text: string}[],
 *   evidence?: string[], status?: string}} Rule
 * @typedef {{fields: Record<string, import("./answers.js").Spec>, units: Record<string, any>, village: string,
 *   version: string, place?: {latitude: number, longitude: number, timezone: string}, settings: {from: string, values: Record<string, unknown>}[], rules: Rule[]}} PackData
 * @typedef {{data: PackData, units: Units, defaults: Record<string, unknown>,
 *   settings: Map<string | null, Record<string, unknown>>}} Pack `settings` remembers those in force by day
 * @typedef {{check: number, row: number | null, outcome: string, figure: string | null, message: string | null,
 *   fields: string[]}} Failed
 * @typedef {{rule: string, title: string, outcome: string, clause: object, body: string, modal: string,
 *   evidence: string[], boundary: boolean, value: string | null, missing: string[], reads: string[],
 *   figure: string | null, message: string | null, reason: string | null, notes: string[], open_item: boolean,
 *   failed: Failed[]}} Finding
 */

export { OUTCOMES };

/**
 * A published pack, ready to judge by.
 * @param {string | PackData} json
 * @returns {Pack}
 */
export function readPack(json) {
  const data = typeof json === "string" ? /** @type {PackData} */ (JSON.parse(json)) : json;
  /** @type {Record<string, unknown>} */
  const defaults = {};
  for (const [name, spec] of Object.entries(data.fields)) {
    if (Object.hasOwn(spec, "default")) defaults[name] = spec.default;
  }
  return { data, units: new Units(data.units), defaults, settings: new Map() };
}

/**
 * The village's settings in force on a day; without a day, the latest. See the Python twin.
 * @param {Pack} pack
 * @param {string | null} day
 * @returns {Record<string, unknown>}
 */
export function settingsOn(pack, day) {
  const known = pack.settings.get(day);
  if (known) return known;
  const entries = [...pack.data.settings].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const values = Object.assign(
    {},
    pack.defaults,
    ...entries.filter((entry) => day === null || entry.from <= day).map((entry) => entry.values),
  );
  pack.settings.set(day, values);
  return values;
}

/**
 * The findings of every rule of this kind in force on a day, in the order of the pack. Answers, context and settings
 * are raw; `settings` go over those in force. Without `on` the day is the context's `today`. `beside` also judges the
 * rules of the kind `office`, which rest on records beside the visit.
 * @param {Pack} pack
 * @param {{kind: string, answers: Record<string, unknown>, context?: Record<string, unknown> | null,
 *   settings?: Record<string, unknown> | null, on?: string | null, beside?: boolean}} inspection
 * @returns {Finding[]}
 */
export function evaluate(pack, { kind, answers, context, settings, on, beside = false }) {
  const today = context?.today;
  const day = on ?? (typeof today === "string" ? today : null);
  const given = [settings ?? {}, settingsOn(pack, day), context ?? {}, answers];
  const known = { ...placeOf(pack), ...(day === null ? {} : { today: day }) };
  const judging = new Judging(pack, kind, day, new Answers(pack.data.fields, pack.units, given, known), beside);
  return pack.data.rules.filter((rule) => judging.concerns(rule)).map((rule) => judging.finding(rule));
}

/**
 * What is known of the place without being told: where the village lies.
 * @param {Pack} pack
 */
function placeOf({ data: { place } }) {
  if (!place) return {};
  return { village_latitude: place.latitude, village_longitude: place.longitude, timezone: place.timezone };
}

/** One inspection before one pack; remembers findings, since rules may combine others. */
export class Judging {
  /**
   * @param {Pack} pack
   * @param {string} kind
   * @param {string | null} day
   * @param {Answers} answers
   * @param {boolean} beside
   */
  constructor(pack, kind, day, answers, beside) {
    this.pack = pack;
    this.kind = kind;
    this.day = day;
    this.answers = answers;
    /** An id that stands twice is judged by the entry that has the form's own kind. */
    this.beside = beside && new Set(pack.data.rules.filter((rule) => rule.kinds.includes(kind)).map(({ id }) => id));
    /** @type {Map<string, Finding>} */
    this.findings = new Map();
  }

  /** @param {Rule} rule */
  concerns(rule) {
    return (
      (rule.status ?? "executable") === "executable" &&
      (rule.kinds.includes(this.kind) ||
        (this.beside && rule.kinds.includes("office") && !this.beside.has(rule.id))) &&
      (this.day === null || rule.in_force_from <= this.day)
    );
  }

  /**
   * @param {Rule} rule
   * @returns {Finding}
   */
  finding(rule) {
    let found = this.findings.get(rule.id);
    if (!found) {
      found = new OneRule(rule, this).judge();
      this.findings.set(rule.id, found);
    }
    return found;
  }

  /** @param {string[]} names */
  combined(names) {
    return this.pack.data.rules
      .filter((rule) => names.includes(rule.id) && this.concerns(rule))
      .map((rule) => this.finding(rule))
      .filter((finding) => finding.outcome !== "not_applicable");
  }
}
