// One rule being judged: its conditions, its checks row by row, its classification or combination.
// The Python twin is inspect_app/domain/one_rule.py; change both together.

import { evaluate as compute, parse, Scope } from "./expression.js";
import { prepared } from "./prepared.js";
import { Row } from "./values.js";
import { Wording } from "./wording.js";

/**
 * @typedef {import("./rules.js").Rule} Rule
 * @typedef {import("./rules.js").Check} Check
 * @typedef {import("./rules.js").Finding} Finding
 * @typedef {import("./rules.js").Failed} Failed
 * @typedef {import("./expression.js").Result} Result
 */

export const OUTCOMES = [
  "violation", "discretion", "not_evaluated", "warning", "information", "pass", "not_applicable",
];

/** One rule being judged: collects what was read and what is missing on the way. */
export class OneRule {
  /**
   * @param {Rule} rule
   * @param {import("./rules.js").Judging} judging
   */
  constructor(rule, judging) {
    this.rule = rule;
    this.judging = judging;
    this.wording = new Wording(rule, judging.answers);
    this.prepared = prepared(rule);
    this.scope = new Scope(judging.answers, this.prepared.lets, new Map([["kind", judging.kind]]));
    /** @type {Map<string, Result>} */
    this.onEveryRow = new Map();
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
      else if (this.rule.checks) this.check(this.rule.checks);
      else this.classify();
      if (this.finding.outcome !== "not_applicable") {
        this.soften();
        this.note();
      }
    }
    this.finding.missing = [...this.missing].sort();
    this.finding.reads = [...this.reads].sort();
    return this.finding;
  }

  /** @param {string} source */
  compute(source) {
    const result = compute(parse(source), this.scope);
    for (const path of result.reads) this.reads.add(path);
    return result;
  }

  /**
   * @param {string} source
   * @param {Scope} scope
   */
  computeCheck(source, scope) {
    const needsRow = this.prepared.needsRow(source);
    let result = needsRow ? undefined : this.onEveryRow.get(source);
    if (!result) {
      result = compute(parse(source), needsRow ? scope : this.scope);
      if (!needsRow) this.onEveryRow.set(source, result);
    }
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
    this.finding.value = null;
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

  classify() {
    if (this.value()) {
      this.finding.outcome = "information";
      this.passes();
    }
  }

  /** Compute the value; false if it is unknown, which weighs like a check that is unknown. */
  value() {
    const result = this.compute(this.rule.value ?? "");
    if (result.value === undefined) {
      this.notEvaluated(result);
      return false;
    }
    this.finding.value = this.wording.exact(result.value, this.rule.value_type);
    return true;
  }

  /** @param {Check[]} checks */
  check(checks) {
    const outcomes = [{ outcome: this.rule.value !== undefined && !this.value() ? "not_evaluated" : "pass" }];
    const rows = this.rows();
    if (!rows) return;
    for (const row of rows) {
      const scope = row ? this.scopeOf(row) : this.scope;
      for (const [number, check] of checks.entries()) {
        const result = this.computeCheck(check.expr, scope);
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
      this.passes(this.tightest(rows));
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

  /**
   * The scope of a row, in which only what differs from row to row is computed anew.
   * @param {Row} row
   */
  scopeOf(row) {
    return new Scope(this.judging.answers, this.prepared.rowLets, new Map([["item", row]]), this.scope);
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
      message: this.wording.fill(check.message, scope, row, this.finding.value ?? ""),
      fields: [...result.reads].sort(),
    };
    this.finding.failed.push(failed);
    if (failed.outcome === "not_evaluated") for (const path of result.reads) this.missing.add(path);
    this.finding.open_item ||= check.open_item ?? false;
    return failed;
  }

  /**
   * The row that came closest to its limit: its figure tells most about a pass.
   * @param {(Row | null)[]} rows
   */
  tightest(rows) {
    const figure = (this.rule.checks ?? []).find((check) => check.figure)?.figure;
    if (!figure || rows.length === 1) return rows[0];
    let [closest, least] = [rows[0], /** @type {import("./fraction.js").Fraction | null} */ (null)];
    for (const row of rows) {
      const margin = this.wording.margin(figure, row ? this.scopeOf(row) : this.scope);
      if (margin && (!least || margin.compare(least) < 0)) [closest, least] = [row, margin];
    }
    return closest;
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
