// Shocks and slugs: does a record of one constituent or flow stay above five times its average?
// The Python twin is inspect_app/domain/slug.py, which says how a run is counted; change both together.

import { whole } from "./fraction.js";

/** @typedef {import("./fraction.js").Fraction} Fraction */

const LONGER_THAN = whole(15 * 60);
const NOTHING = whole(0);

/**
 * @param {Fraction} a
 * @param {Fraction} b
 */
const isAbove = (a, b) => a.compare(b) > 0;

/**
 * `candidate`, `open`, `indeterminate` or `none` for points of [seconds, value].
 * @param {Fraction[][]} points
 * @param {Fraction} intervalMin
 * @param {Fraction} average
 * @throws {RangeError} for an average or an interval that is not above zero
 */
export function slug(points, intervalMin, average) {
  if (!isAbove(average, NOTHING) || !isAbove(intervalMin, NOTHING)) {
    throw new RangeError("the average and the interval must be above zero");
  }
  const [limit, interval] = [average.times(whole(5)), intervalMin.times(whole(60))];
  const rows = [...points].sort((a, b) => a[0].compare(b[0]) || a[1].compare(b[1]));
  const last = rows.length - 1;
  if (last < 1 || (isAbove(interval, LONGER_THAN) && rows.some(([, value]) => isAbove(value, limit)))) {
    return "indeterminate";
  }
  let run = NOTHING;
  for (const [index, [at, value]] of rows.slice(0, last).entries()) {
    const step = rows[index + 1][0].minus(at);
    const gap = isAbove(step, interval.plus(interval));
    run = isAbove(value, limit) ? run.plus(gap ? interval : step) : NOTHING;
    if (isAbove(run, LONGER_THAN)) return "candidate";
    if (gap) run = NOTHING;
  }
  return isAbove(rows[last][1], limit) && isAbove(run.plus(interval), LONGER_THAN) ? "open" : "none";
}

/**
 * Whether two neighbouring points are more than two intervals apart, so that a run is cut there.
 * @param {Fraction[]} times
 * @param {Fraction} intervalMin
 */
export function slugGap(times, intervalMin) {
  const rows = [...times].sort((a, b) => a.compare(b));
  return rows.slice(1).some((after, index) => isAbove(after.minus(rows[index]), intervalMin.times(whole(120))));
}
