// The named functions of the rule language, by name and kinds of arguments.
// The Python twin is inspect_app/domain/functions.py; change both together.

import { orCannot, wholes } from "./asking.js";
import { DAY_FUNCTIONS } from "./day_functions.js";
import { exactText, Fraction, readNumber, whole } from "./quantities.js";
import { slug, slugGap } from "./slug.js";
import { SUN_FUNCTIONS } from "./sun_functions.js";
import { CannotCompute, Missing, Row } from "./values.js";

/**
 * @typedef {import("./values.js").Value} Value
 * @typedef {import("./asking.js").Ask} Ask
 */

/**
 * @param {string} name
 * @param {Value[]} values
 * @returns {Fraction[]}
 */
function numbers(name, values) {
  if (!values.length || !values.every((value) => value instanceof Fraction)) {
    throw new CannotCompute(`${name} needs a list of numbers that is not empty`);
  }
  return /** @type {Fraction[]} */ (values);
}

/**
 * @param {Fraction} a
 * @param {Fraction} b
 */
const inOrder = (a, b) => a.compare(b);

/**
 * Fall in inches per foot between neighbouring stations, toward the main; both are in feet.
 * @param {Ask} ask
 * @param {Value[]} inverts
 */
function slopes(ask, inverts) {
  const points = rowsOf(ask, inverts, "station", "elevation");
  points.sort((a, b) => inOrder(a[0], b[0]) || inOrder(a[1], b[1]));
  if (points.length < 2) {
    const where = `${listPath(inverts)}[${points.length}]`;
    throw new Missing([`${where}.station`, `${where}.elevation`]);
  }
  return points.slice(1).map(([end, lower], index) => {
    const [start, upper] = points[index];
    if (start.compare(end) === 0) throw new CannotCompute("two inverts at the same station");
    return whole(12).times(upper.minus(lower)).over(end.minus(start));
  });
}

/**
 * The longest stretch without a station, from station 0 to the end.
 * @param {Ask} ask
 * @param {Value[]} rows
 * @param {Fraction} end
 */
function largestGap(ask, rows, end) {
  const stations = [whole(0), end, ...rowsOf(ask, rows, "station").map(([station]) => station)].sort(inOrder);
  const gaps = stations.slice(1).map((station, index) => station.minus(stations[index]));
  return gaps.reduce((most, gap) => (gap.compare(most) > 0 ? gap : most));
}

/**
 * @param {Ask} ask
 * @param {Value[]} rows
 * @param {string[]} fields
 * @returns {Fraction[][]}
 */
function rowsOf(ask, rows, ...fields) {
  /** @type {string[]} */
  const missing = [];
  const found = rows.map((row) => {
    if (!(row instanceof Row)) throw new CannotCompute("a list of rows is needed");
    /** @type {Fraction[]} */
    const values = [];
    for (const field of fields) {
      const value = ask.field(row, field);
      if (value instanceof Fraction) values.push(value);
      else missing.push(`${row.path}.${field}`);
    }
    return values;
  });
  if (missing.length) throw new Missing(missing);
  return found;
}

/** @param {Value[]} rows */
function listPath(rows) {
  const first = rows[0];
  return first instanceof Row ? first.path.slice(0, first.path.lastIndexOf("[")) : "inverts";
}

/**
 * An amount to the cent; `rounding` says where a half cent goes: away from zero, or to the even cent.
 * @param {Ask} ask
 * @param {Fraction} amount
 */
function cents(ask, amount) {
  const mode = ask.name("rounding");
  if (mode === undefined) throw new Missing(["rounding"]);
  const exact = amount.times(whole(100));
  let near = exact.roundHalfUp();
  if (mode === "half_even" && exact.bottom === 2n && near % 2n) near -= near < 0n ? -1n : 1n;
  return new Fraction(near, 100n);
}

/**
 * The exact decimal text of a number, with zeros up to so many decimals: money with 2 is `3127.50`.
 * @param {Ask} ask
 * @param {Fraction} number
 * @param {Fraction} [places]
 */
function textOf(ask, number, places = whole(0)) {
  const [wanted] = wholes("text", places);
  if (wanted < 0 || wanted > 30) throw new CannotCompute("text takes 0 to 30 decimals");
  const shown = exactText(number);
  const [before, decimals = ""] = shown.split(".");
  return shown.includes("/") || decimals.length >= wanted ? shown : `${before}.${decimals.padEnd(wanted, "0")}`;
}

/**
 * The least a laboratory result as reported can mean: `104` is 104, `<5` is 0, `>2420` is 2420.
 * @param {Ask} ask
 * @param {string} result
 */
function lowOf(ask, result) {
  const number = readNumber(result.replace(/^[<>]+/, ""));
  if (!number) throw new Missing([ask.path()]);
  return result.startsWith("<") ? whole(0) : number;
}

/**
 * The most a laboratory result as reported can mean; `>2420` has no most.
 * @param {Ask} ask
 * @param {string} result
 */
function highOf(ask, result) {
  const number = readNumber(result.replace(/^[<>]+/, ""));
  if (!number || result.startsWith(">")) throw new Missing([ask.path()]);
  return number;
}

export const METHODS_ONLY = new Set(["startsWith", "endsWith", "contains"]);

/**
 * By name, each way of calling it: the kinds of its arguments, and what it computes.
 * @type {Map<string, import("./asking.js").Overload[]>}
 */
export const FUNCTIONS = new Map([
  ["size", [
    ["text", (ask, text) => whole([...text].length)],
    ["list", (ask, rows) => whole(rows.length)],
  ]],
  ["startsWith", [["text, text", (ask, text, part) => text.startsWith(part)]]],
  ["endsWith", [["text, text", (ask, text, part) => text.endsWith(part)]]],
  ["contains", [["text, text", (ask, text, part) => text.includes(part)]]],
  ["double", [["number", (ask, number) => number]]],
  ["ceil", [["number", (ask, number) => whole(number.ceil())]]],
  ["floor", [["number", (ask, number) => whole(number.floor())]]],
  ["round", [["number", (ask, number) => whole(number.roundHalfUp())]]],
  ["min", [["list", (ask, values) => numbers("min", values).reduce((a, b) => (b.compare(a) < 0 ? b : a))]]],
  ["max", [["list", (ask, values) => numbers("max", values).reduce((a, b) => (b.compare(a) > 0 ? b : a))]]],
  ["sum", [["list", (ask, values) => numbers("sum", values).reduce((a, b) => a.plus(b))]]],
  ["slopes", [["list", slopes]]],
  ["largest_gap", [["list, number", largestGap]]],
  ["slug", [["list, number, number", (ask, rows, interval, average) => {
    const points = rowsOf(ask, rows, "time", "reading");
    return orCannot(() => slug(points, interval, average));
  }]]],
  ["slug_gap", [["list, number", (ask, rows, interval) =>
    slugGap(rowsOf(ask, rows, "time").map(([at]) => at), interval)]]],
  ["cents", [["number", cents]]],
  ["text", [["number", textOf], ["number, number", textOf]]],
  ...DAY_FUNCTIONS,
  ...SUN_FUNCTIONS,
  ["low_of", [["text", lowOf]]],
  ["high_of", [["text", highOf]]],
  ["typed_in", [["number, text", (ask, number, unit) => ask.typedUnit() === unit]]],
]);
