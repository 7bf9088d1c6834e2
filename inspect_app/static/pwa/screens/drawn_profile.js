/** The lateral's profile from inverts and cover. Slopes are compared as the exact numbers they are; pixels are another matter. */
import { profile as draw } from "../drawings/profile.js";
import { exactNumber, pixelsOf, plain } from "../fields/reading.js";
import { formatExact, whole } from "../rules/quantities.js";
import { t } from "../words.js";
import { openCell } from "./cells.js";
import { limitFor } from "./marks.js";
import { rowOutcome } from "./rows.js";

const TWELVE = whole(12);

const BAD = ["violation", "warning"];

/** A slope is shown to a thousandth of an inch. */
const THOUSAND = whole(1000);

/** @param {any} visit */
export function profile(visit) {
  const { answers, findings } = visit;
  const points = readable(answers.inverts, "elevation", "ft");
  const covers = readable(answers.cover_top, "depth", "in");
  const least = limitFor(findings, ["inverts"], "in/ft");
  const outcomes = covers.map((one) => rowOutcome(findings, "cover_top", one.n));
  const slopes = points.slice(1).map((b, k) => slopeOf(points[k], b, least));
  return draw({
    inverts: points.map(({ px: x, py: y, n }) => ({ x, y, n })),
    // The least cover is drawn where there is too little.
    covers: covers.map((one, k) => ({ x: one.px, depth: one.py, n: one.n,
      least: BAD.includes(outcomes[k] ?? "") ? visit.judge.limits("cover_top", one.n, "depth").at(-1)?.limit ?? null : null })),
    elevations: points.map((one) => one.text), stations: points.map((one) => one.station),
    depths: covers.map((one) => one.text),
    outcomes,
    slopes, least: least === null ? null : { number: least, text: `${least} ${t.profile.unit}` },
    // Four inches are drawn where no pipe was measured yet.
    pipe: pixelsOf(answers.segments?.[0]?.diameter, "in") ?? 4,
    go: visit.readonly ? null : (list, n, cell) => openCell(visit, list, n, cell),
  });
}

/**
 * Rows whose station and reading can both be read, from the wall out.
 * @param {any} rows @param {string} cell @param {string} unit
 */
function readable(rows, cell, unit) {
  const all = (Array.isArray(rows) ? rows : []).map((/** @type {any} */ row, /** @type {number} */ n) => ({ n,
    x: exactNumber(row.station, "ft"), y: exactNumber(row[cell], unit), px: pixelsOf(row.station, "ft"), py: pixelsOf(row[cell], unit),
    station: plain(row.station, "ft"), text: plain(row[cell], unit) }));
  return /** @type {{n: number, x: any, y: any, px: number, py: number, station: string, text: string}[]} */ (all.filter((one) => one.px !== null
    && one.py !== null)).sort((a, b) => a.x.compare(b.x));
}

/** Inches of fall in each foot between two points. @param {any} a @param {any} b @param {number | null} least */
function slopeOf(a, b, least) {
  const run = b.x.minus(a.x);
  if (run.compare(whole(0)) === 0) return { text: "", bad: false };
  const fall = a.y.minus(b.y).times(TWELVE).over(run);
  const shown = whole(fall.times(THOUSAND).roundHalfUp()).over(THOUSAND);
  const bound = least === null ? null : exactNumber({ value: String(least), unit: "in" }, "in");
  return { text: `${formatExact(shown)} ${t.profile.unit}`, bad: bound !== null && fall.compare(bound) < 0 };
}
