/** What findings say of one row of a list. Pure. */
import { CARDS, worst } from "./findings.js";

/**
 * The worst outcome that speaks of one row: its own failed checks, what it still lacks, else what the rule said of the rest.
 * @param {any[]} findings
 * @param {string} list
 * @param {number} n from 0
 * @returns {string | null} null where no rule looks at the row
 */
export function rowOutcome(findings, list, n) {
  const within = (/** @type {string} */ path) => path.startsWith(`${list}[${n}]`);
  const about = findings.filter((f) => [...(f.reads ?? []), ...(f.missing ?? [])].some(within));
  if (!about.length) return null;
  const own = about.map((f) => outcomeHere(f, within, n)).filter((outcome) => outcome !== "not_applicable");
  return own.length ? worst(own.map((outcome) => ({ rule: "", outcome }))) : "not_applicable";
}

/** @param {any} finding @param {(path: string) => boolean} within @param {number} n @returns {string} */
function outcomeHere(finding, within, n) {
  const mine = (/** @type {any} */ check) => (check.row ? check.row === n + 1 : (check.fields ?? []).some(within));
  const failed = (finding.failed ?? []).filter(mine);
  if (failed.length) return worst(failed.map((/** @type {any} */ check) => ({ rule: "", outcome: check.outcome })));
  if ((finding.missing ?? []).some(within)) return "not_evaluated";
  // The rule failed or waits elsewhere: of this row it had nothing to say.
  return CARDS.includes(finding.outcome) || finding.outcome === "not_evaluated" ? "pass" : finding.outcome;
}
