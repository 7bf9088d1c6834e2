/** The limits of one cell, taken from the figures of the pack's rules: no drawing knows a number of the ordinance. */
import { Answers } from "../rules/answers.js";
import { OneRule } from "../rules/one_rule.js";
import { Judging, settingsOn } from "../rules/rules.js";
import { rulerOf } from "./findings.js";

/**
 * @typedef {{kind: string, answers: Record<string, any>, context: Record<string, any>}} Known what is known of a visit
 */

/** @param {import("../rules/rules.js").Pack} pack @param {Known} visit */
function judgingOf(pack, { kind, answers, context }) {
  const day = context.today ?? null;
  return new Judging(pack, kind, day, new Answers(pack.data.fields, pack.units, [settingsOn(pack, day), context, answers]), false);
}

/**
 * The checks that a list would fail if it held this row alone.
 * @param {import("../rules/rules.js").Pack} pack
 * @param {Known} visit
 * @param {{list: string, row: any}} of
 */
export function failedAlone(pack, { kind, answers, context }, { list, row }) {
  const judging = judgingOf(pack, { kind, context, answers: { ...answers, [list]: [row] } });
  const about = (/** @type {import("../rules/rules.js").Rule} */ rule) => rule.each === list || (rule.checks ?? []).some((check) => check.expr.includes(`${list}.`));
  return pack.data.rules.filter((rule) => about(rule) && judging.concerns(rule)).flatMap((rule) => judging.finding(rule).failed)
    .filter((check) => check.fields.some((path) => path.startsWith(`${list}[`)));
}

/**
 * The limits that the rules of this visit set to a cell of a row, smallest first, whether or not it is answered yet.
 * @param {import("../rules/rules.js").Pack} pack
 * @param {Known} visit
 * @param {{list: string, n: number, cell: string}} of n from 0
 * @returns {{rule: string, limit: number, unit: string}[]}
 */
export function limitsOfCell(pack, { kind, answers, context }, { list, n, cell }) {
  const spec = pack.data.fields[list]?.of?.[cell];
  if (!spec?.unit) return [];
  // The row as it is, with any number in the cell: what the limit is does not hang on the reading.
  const row = { ...answers[list]?.[n], [cell]: { value: "1", unit: spec.unit } };
  const judging = judgingOf(pack, { kind, context, answers: { ...answers, [list]: [row] } });
  return pack.data.rules
    .filter((rule) => rule.each === list && judging.concerns(rule))
    .flatMap((rule) => figuresOf(rule, judging, `item.${cell}`).map((figure) => ({ rule: rule.id, ...figure })))
    .sort((a, b) => a.limit - b.limit);
}

/** @param {import("../rules/rules.js").Rule} rule @param {Judging} judging @param {string} path */
function figuresOf(rule, judging, path) {
  const one = new OneRule(rule, judging);
  if (!one.applies()) return [];
  const scope = one.scopeOf(/** @type {any} */ (one.rows()?.[0]));
  const figures = (rule.checks ?? []).flatMap((check) => (check.figure?.of?.includes(path) ? [check.figure] : []));
  return figures.flatMap((figure) => {
    const read = rulerOf({ figure: one.wording.figure(figure, scope, null), outcome: "pass" });
    return read ? [{ limit: read.limit, unit: read.unit }] : [];
  });
}
