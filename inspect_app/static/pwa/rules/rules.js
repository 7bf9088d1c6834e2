// Judge an inspection by a pack: one finding for each rule of its kind that is in force.
// The Python twin is inspect_app/domain/rules.py: tablet and server must give the same findings.

import { Answers } from "./answers.js";
import { evaluate as compute, parse, Scope } from "./expression.js";
import { Units } from "./quantities.js";
import { Row } from "./values.js";
import { Wording } from "./wording.js";

/**
 * @typedef {import("./wording.js").Figure} Figure
 * @typedef {import("./expression.js").Result} Result
 * @typedef {{expr: string, fails?: string, at_limit?: string, figure?: Figure, message: string, open_item?: boolean}} Check
 * @typedef {{id: string, title: string, clause: object, in_force_from: string, kinds: string[], body: string,
 *   modal: string, severity: string, unless?: {expr: string, reason: string}[],
 *   when?: {expr: string, reason: string}[], let?: Record<string, string>, let_types?: Record<string, string>,
 *   each?: string, checks?: Check[], passes?: string, value?: string, value_type?: string, combine?: string[],
 *   soften?: {expr: string, to: string, note: string}[], notes?: {expr: string, text: string}[],
 *   evidence?: string[]}} Rule
 * @typedef {{fields: Record<string, import("./answers.js").Spec>, units: Record<string, any>, village: string,
 *   version: string, settings: {from: string, values: Record<string, unknown>}[], rules: Rule[]}} PackData
 * @typedef {{data: PackData, units: Units, defaults: Record<string, unknown>,
 *   settings: Map<string | null, Record<string, unknown>>}} Pack `settings` remembers those in force by day
 * @typedef {{check: number, row: number | null, outcome: string, figure: string | null, message: string | null,
 *   fields: string[]}} Failed
 * @typedef {{rule: string, title: string, outcome: string, clause: object, body: string, modal: string,
 *   evidence: string[], boundary: boolean, value: string | null, missing: string[], reads: string[],
 *   figure: string | null, message: string | null, reason: string | null, notes: string[], open_item: boolean,
 *   failed: Failed[]}} Finding
 */

export const OUTCOMES = [
  "violation", "discretion", "not_evaluated", "warning", "information", "pass", "not_applicable",
];

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
 * are raw; `settings` go over those in force. Without `on` the day is the context's `today`.
 * @param {Pack} pack
 * @param {{kind: string, answers: Record<string, unknown>, context?: Record<string, unknown> | null,
 *   settings?: Record<string, unknown> | null, on?: string | null}} inspection
 * @returns {Finding[]}
 */
export function evaluate(pack, { kind, answers, context, settings, on }) {
  const today = context?.today;
  const day = on ?? (typeof today === "string" ? today : null);
  const given = [settings ?? {}, settingsOn(pack, day), context ?? {}, answers];
  const judging = new Judging(pack, kind, day, new Answers(pack.data.fields, pack.units, given));
  return pack.data.rules.filter((rule) => judging.concerns(rule)).map((rule) => judging.finding(rule));
}

/** One inspection before one pack; remembers findings, since rules may combine others. */
class Judging {
  /**
   * @param {Pack} pack
   * @param {string} kind
   * @param {string | null} day
   * @param {Answers} answers
   */
  constructor(pack, kind, day, answers) {
    this.pack = pack;
    this.kind = kind;
    this.day = day;
    this.answers = answers;
    /** @type {Map<string, Finding>} */
    this.findings = new Map();
  }

  /** @param {Rule} rule */
  concerns(rule) {
    return rule.kinds.includes(this.kind) && (this.day === null || rule.in_force_from <= this.day);
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

/** One rule being judged: collects what was read and what is missing on the way. */
class OneRule {
  /**
   * @param {Rule} rule
   * @param {Judging} judging
   */
  constructor(rule, judging) {
    this.rule = rule;
    this.judging = judging;
    this.wording = new Wording(rule, judging.answers);
    this.lets = new Map(Object.entries(rule.let ?? {}).map(([name, source]) => [name, parse(source)]));
    this.scope = this.scopeOf(null);
    /** @type {Set<string>} */
    this.reads = new Set();
    /** @type {Set<string>} */
    this.missing = new Set();
    /** @type {Finding} */
    this.finding = {
      rule: rule.id,
      title: rule.title,
      outcome: "pass",
      clause: rule.clause,
      body: rule.body,
      modal: rule.modal,
      evidence: rule.evidence ?? [],
      boundary: false,
      value: null,
      missing: [],
      reads: [],
      figure: null,
      message: null,
      reason: null,
      notes: [],
      open_item: false,
      failed: [],
    };
  }

  judge() {
    if (this.applies()) {
      if (this.rule.combine) this.combine(this.rule.combine);
      else if (this.rule.value !== undefined) this.classify(this.rule.value);
      else this.check();
      if (this.finding.outcome !== "not_applicable") {
        this.soften();
        this.note();
      }
    }
    this.finding.missing = [...this.missing].sort();
    this.finding.reads = [...this.reads].sort();
    return this.finding;
  }

  /**
   * @param {string} source
   * @param {Scope} [scope]
   */
  compute(source, scope = this.scope) {
    const result = compute(parse(source), scope);
    for (const path of result.reads) this.reads.add(path);
    return result;
  }

  applies() {
    for (const entry of this.rule.unless ?? []) {
      if (this.compute(entry.expr).value === true) return this.notApplicable(entry.reason);
    }
    const open = [];
    for (const entry of this.rule.when ?? []) {
      const result = this.compute(entry.expr);
      if (result.value === false) return this.notApplicable(entry.reason);
      if (result.value === undefined) open.push(result);
    }
    for (const result of open) this.notEvaluated(result);
    return open.length === 0;
  }

  /** @param {string} reason */
  notApplicable(reason) {
    this.missing.clear();
    this.finding.outcome = "not_applicable";
    this.finding.reason = this.wording.fill(reason, this.scope);
    return false;
  }

  /** @param {Result} result */
  notEvaluated(result) {
    this.finding.outcome = "not_evaluated";
    for (const path of result.missing) this.missing.add(path);
    if (result.error !== null) this.finding.reason ??= `This rule cannot be computed: ${result.error}.`;
  }

  /** @param {string[]} names */
  combine(names) {
    const { finding } = this;
    const others = this.judging.combined(names);
    if (!others.length) {
      this.notApplicable("None of the rules it combines applies here.");
      return;
    }
    const worst = worstOf(others);
    finding.outcome = worst.outcome;
    finding.boundary = others.some((other) => other.boundary);
    finding.open_item = others.some((other) => other.open_item);
    for (const other of others) {
      for (const path of other.missing) this.missing.add(path);
      for (const path of other.reads) this.reads.add(path);
    }
    if (worst.outcome === "pass") {
      this.passes();
    } else {
      finding.figure = worst.figure;
      finding.message = worst.message;
      finding.reason = `${worst.rule}: ${worst.title}`;
    }
  }

  /** @param {string} source */
  classify(source) {
    const result = this.compute(source);
    if (result.value === undefined) {
      this.notEvaluated(result);
      return;
    }
    this.finding.outcome = "information";
    this.finding.value = this.wording.exact(result.value, this.rule.value_type);
    this.passes();
  }

  check() {
    const rows = this.rows();
    if (!rows) return;
    const outcomes = [{ outcome: "pass" }];
    for (const row of rows) {
      const scope = row ? this.scopeOf(row) : this.scope;
      for (const [number, check] of (this.rule.checks ?? []).entries()) {
        const result = this.compute(check.expr, scope);
        if (check.at_limit && compute(parse(check.at_limit), scope).value === true) this.finding.boundary = true;
        if (result.value === false) {
          outcomes.push(this.fails(number, check, scope, row, result));
        } else if (result.value === undefined) {
          this.notEvaluated(result);
          outcomes.push({ outcome: "not_evaluated" });
        }
      }
    }
    this.finding.outcome = worstOf(outcomes).outcome;
    if (this.finding.failed.length) {
      const worst = worstOf(this.finding.failed);
      this.finding.figure = worst.figure;
      this.finding.message = worst.message;
    } else if (this.finding.outcome === "pass") {
      this.passes(rows[0]);
    }
  }

  /**
   * The rows to check, [null] for a rule without rows, null if that already decides the finding.
   * @returns {(Row | null)[] | null}
   */
  rows() {
    if (this.rule.each === undefined) return [null];
    const result = this.compute(this.rule.each);
    if (!Array.isArray(result.value)) {
      this.notEvaluated(result);
      return null;
    }
    if (!result.value.length) {
      this.notApplicable("No row concerns this clause.");
      return null;
    }
    return result.value.filter((row) => row instanceof Row);
  }

  /** @param {Row | null} row */
  scopeOf(row) {
    /** @type {Map<string, import("./values.js").Value>} */
    const bound = new Map([["kind", this.judging.kind]]);
    if (row) bound.set("item", row);
    return new Scope(this.judging.answers, this.lets, bound);
  }

  /**
   * @param {number} number
   * @param {Check} check
   * @param {Scope} scope
   * @param {Row | null} row
   * @param {Result} result
   * @returns {Failed}
   */
  fails(number, check, scope, row, result) {
    const failed = {
      check: number,
      row: row?.row ?? null,
      outcome: check.fails ?? this.rule.severity,
      figure: check.figure ? this.wording.figure(check.figure, scope, row) : null,
      message: this.wording.fill(check.message, scope, row),
      fields: [...result.reads].sort(),
    };
    this.finding.failed.push(failed);
    if (failed.outcome === "not_evaluated") for (const path of result.reads) this.missing.add(path);
    this.finding.open_item ||= check.open_item ?? false;
    return failed;
  }

  /** @param {Row | null} [row] */
  passes(row = null) {
    const { finding } = this;
    if (this.rule.passes !== undefined) {
      finding.message = this.wording.fill(this.rule.passes, this.scope, null, finding.value ?? "");
    }
    const scope = row ? this.scopeOf(row) : this.scope;
    for (const check of this.rule.checks ?? []) {
      if (check.figure) finding.figure ??= this.wording.figure(check.figure, scope, row);
    }
  }

  soften() {
    for (const entry of this.rule.soften ?? []) {
      if (isDecided(this.finding) && this.compute(entry.expr).value === true) {
        this.finding.outcome = entry.to;
        for (const failed of this.finding.failed) if (isDecided(failed)) failed.outcome = entry.to;
        this.finding.notes.push(this.wording.fill(entry.note, this.scope));
      }
    }
  }

  note() {
    for (const entry of this.rule.notes ?? []) {
      if (compute(parse(entry.expr), this.scope).value === true) {
        this.finding.notes.push(this.wording.fill(entry.text, this.scope));
      }
    }
  }
}

/** @param {{outcome: string}} finding */
function isDecided(finding) {
  return finding.outcome === "violation" || finding.outcome === "discretion";
}

/**
 * The first of those whose outcome weighs most.
 * @template {{outcome: string}} T
 * @param {T[]} findings
 * @returns {T}
 */
function worstOf(findings) {
  return findings.reduce((worst, other) =>
    OUTCOMES.indexOf(other.outcome) < OUTCOMES.indexOf(worst.outcome) ? other : worst,
  );
}
