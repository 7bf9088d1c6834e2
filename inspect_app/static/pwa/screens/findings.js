import { say, sayFigure } from "../fields/say.js";
import { t } from "../words.js";

/**
 * Where findings stand on the screens: beside which field, worst of a section, in what order, and what a figure says.
 * Pure: it takes findings as the rule engine gives them and decides nothing about the work.
 *
 * @typedef {Record<string, any>} Finding
 */

/** Worst first; the order of every list of findings. */
export const ORDER = ["violation", "warning", "discretion", "not_evaluated", "information", "pass", "not_applicable"];

/** Outcomes that are drawn as a card. */
export const CARDS = ["violation", "warning", "discretion"];

/** @param {Finding[]} findings */
export const sorted = (findings) => [...findings].sort((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome)
  || String(a.rule).localeCompare(String(b.rule)));

/** Number of findings by outcome. @param {Finding[]} findings @returns {Record<string, number>} */
export function counts(findings) {
  const n = Object.fromEntries(ORDER.map((outcome) => [outcome, 0]));
  for (const finding of findings) n[finding.outcome] += 1;
  return n;
}

/** The worst outcome, or null. @param {Finding[]} findings */
export const worst = (findings) => sorted(findings)[0]?.outcome ?? null;

/** The field at the root of a path: lifts[2].depth is about lifts. @param {string} path */
export const fieldOf = (path) => String(path).split(/[[.]/)[0];

/** The fields that a finding speaks of, the most telling first: those that failed, those missing, those read.
 * @param {Finding} finding @returns {string[]} */
export function fieldsOf(finding) {
  const failed = (finding.failed ?? []).flatMap((/** @type {any} */ f) => f.fields ?? []);
  return [...new Set([...failed, ...(finding.missing ?? []), ...(finding.reads ?? [])].map(fieldOf))];
}

/** The findings that speak of any of these fields. @param {Finding[]} findings @param {string[]} fields */
export function about(findings, fields) {
  const set = new Set(fields);
  return findings.filter((finding) => fieldsOf(finding).some((field) => set.has(field)));
}

/**
 * Which findings stand beside which field of a section. Each stands once. A card goes to the field whose value is in its
 * figure, because the inspector's eye is on that number; otherwise to the last of the fields that failed. A pass or an
 * information goes to the last field it read, once that field is answered. What is not evaluated and not applicable goes to
 * `rest`: beside an untouched field it would only be noise.
 * @param {Finding[]} findings @param {string[]} fields names in the order of the form
 * @param {(field: string) => string} shown the value of a field as a figure would print it, or ""
 * @returns {{beside: Record<string, Finding[]>, rest: Finding[]}}
 */
export function place(findings, fields, shown) {
  /** @type {Record<string, Finding[]>} */
  const beside = {};
  /** @type {Finding[]} */
  const rest = [];
  for (const finding of sorted(about(findings, fields))) {
    const field = spot(finding, fields, shown);
    if (field) (beside[field] ??= []).push(finding);
    else rest.push(finding);
  }
  return { beside, rest };
}

/** @param {Finding} finding @param {string[]} fields @param {(field: string) => string} shown */
function spot(finding, fields, shown) {
  const inOrder = (/** @type {string[]} */ paths) => { const set = new Set(paths.map(fieldOf)); return fields.filter((field) => set.has(field)); };
  if (CARDS.includes(finding.outcome)) {
    const failed = inOrder((finding.failed ?? []).flatMap((/** @type {any} */ f) => f.fields ?? []));
    const read = failed.length ? failed : inOrder(finding.reads ?? []);
    const candidates = read.length ? read : inOrder(finding.missing ?? []);
    const figure = String(finding.figure ?? "").split(/\s*[<>≤≥=≠]/)[0].trim();
    return candidates.find((field) => figure && shown(field) && shown(field) === figure)
      ?? candidates.filter((field) => shown(field)).at(-1) ?? candidates.at(-1) ?? null;
  }
  if (finding.outcome === "pass" || finding.outcome === "information") return inOrder(finding.reads
    ?? []).filter((field) => shown(field)).at(-1) ?? null;
  return null;
}

/**
 * A figure "5.5 in ≤ 6 in" as numbers for the ruler, or null where it is no comparison of two lengths on one scale.
 * `bad` is the side of the limit on which the ordinance does not want the value.
 * @param {Finding} finding @returns {{value: number, limit: number, unit: string, bad: "below" | "above"} | null}
 */
export function rulerOf(finding) {
  const number = "(-?[\\d,]*\\.?\\d+)";
  const match = new RegExp(`^${number}\\s*([^\\d\\s<>≤≥=]*[^<>≤≥=\\d]*?)\\s*([<>≤≥])\\s*${number}\\s*(.*)$`).exec(String(finding.figure ?? ""));
  if (!match) return null;
  const [value, limit] = [match[1], match[4]].map((text) => Number(text.replaceAll(",", "")));
  const unit = (match[5] || match[2]).trim();
  if (!Number.isFinite(value) || !Number.isFinite(limit) || (match[2].trim() && match[5].trim()
    && match[2].trim() !== match[5].trim())) return null;
  const low = match[3] === "<" || match[3] === "≤";
  const isBad = CARDS.includes(finding.outcome);
  return { value, limit, unit, bad: low === isBad ? "below" : "above" };
}

/**
 * The group, list or other part that a conflict is about: "group:tap_geometry" is about tap_geometry.
 * @param {any} conflict
 * @returns {string}
 */
export const groupOfConflict = (conflict) => String(conflict.what ?? "").split(":").pop() ?? "";

/**
 * The finding that sends everyone away from the cover: a violation on a reading of the air.
 * @param {Finding[]} findings
 * @returns {Finding | null}
 */
export const stopOrder = (findings) => findings.find((f) => f.outcome === "violation" && (f.failed
  ?? []).some((/** @type {any} */ c) => c.outcome === "violation" && (c.fields
  ?? []).some((/** @type {string} */ path) => fieldOf(path) === "gas"))) ?? null;

/** A figure for the ear. @param {string} figure @returns {string} */
export function spoken(figure) {
  return sayFigure(figure).replaceAll(/[≤≥<>=°]/g, (sign) => t.ear[/** @type {"≤"} */ (sign)]);
}

/** What a screen reader is told when outcomes change, worst first; empty when none did.
 * @param {Finding[]} before @param {Finding[]} after @param {Record<string, string>} words outcome → word */
export function changes(before, after, words) {
  const was = new Map(before.map((f) => [f.rule, f.outcome]));
  return sorted(after)
    .filter((f) => was.get(f.rule) !== f.outcome && f.outcome !== "not_applicable" && !(f.outcome === "not_evaluated" && !was.has(f.rule)))
    .map((f) => [`${words[f.outcome]}.`, f.figure && spoken(f.figure) + ".", say(f.message ?? f.reason)].filter(Boolean).join(" "))
    .join(" ");
}

/** Whose law a section is. @param {string} section @returns {"village" | "state" | "federal"} */
export const lawOf = (section) => (/\bCFR\b/.test(section) ? "federal" : /^(SPS|NR|DNR|Wis)\b/.test(section) ? "state" : "village");
