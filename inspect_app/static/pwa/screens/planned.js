/** Which assignments wait, and in which order. Pure. */
import { metresBetween, spotOf } from "../place/distance.js";

/** Assignments that nobody has begun, the earliest first. @param {any[]} assignments @returns {any[]} */
export const planned = (assignments) => assignments.filter((one) => !one.record_id && one.state !== "done"
  && one.state !== "cancelled").sort((a, b) => String(a.due_at ?? "9").localeCompare(String(b.due_at ?? "9")));

/** The nearest first; what has no place comes last, in the order it had. @param {any[]} jobs @param {{lat: number, lon: number}} from */
export function byDistance(jobs, from) {
  const away = new Map(jobs.map((one) => { const spot = spotOf(one); return [one, spot ? metresBetween(from, spot) : Infinity]; }));
  return [...jobs].sort((a, b) => (away.get(a) ?? 0) - (away.get(b) ?? 0) || 0);
}
