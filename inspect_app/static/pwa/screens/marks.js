/** What the findings say of the fields a drawing shows. The limit is the one in the finding: no drawing knows a number of the ordinance. */
import { CARDS, fieldOf, rulerOf, worst } from "./findings.js";

/**
 * Findings that judged (not merely named) any of these fields or wait for one of them.
 * @param {any[]} findings
 * @param {string[]} fields
 */
export const readersOf = (findings, fields) => findings.filter((f) => f.outcome !== "not_applicable" && [...(f.reads ?? []), ...(f.missing
  ?? [])].some((path) => fields.includes(fieldOf(path))));

/** The worst decision among findings, null while none was made. @param {any[]} findings */
export const worstOf = (findings) => worst(findings.filter((f) => CARDS.includes(f.outcome) || f.outcome === "pass"));

/**
 * The limit in the figure of a finding about these fields, as text would print it.
 * @param {any[]} findings
 * @param {string[]} fields
 * @param {string} [unit]
 * @returns {number | null}
 */
export function limitFor(findings, fields, unit = "in") {
  for (const f of readersOf(findings, fields)) {
    const figure = [f, ...(f.failed ?? [])].map((one) => rulerOf({ ...one, outcome: f.outcome })).find((one) => one?.unit === unit);
    if (figure) return figure.limit;
  }
  return null;
}
