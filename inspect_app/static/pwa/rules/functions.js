// The named functions of the rule language, by name and kinds of arguments.
// The Python twin is inspect_app/domain/functions.py; change both together.

import * as calendar from "./calendar.js";
import { Fraction, readNumber, whole } from "./quantities.js";
import { CannotCompute, Missing, Row } from "./values.js";

/**
 * @typedef {import("./values.js").Value} Value
 * @typedef {{name: (name: string) => Value | undefined, field: (row: Row, field: string) => Value | undefined,
 *   path: () => string, typedUnit: () => string | undefined}} Ask
 *   reads an answer or a field of a row, undefined when it is not answered; place and unit of the first argument
 */

const HALF_HOUR = whole(30 * 60);

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
    if (!(row instanceof Row)) throw new CannotCompute("rows with stations are needed");
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
 * Run something of the calendar in the village's zone.
 * @template T
 * @param {() => T} work
 */
function orCannot(work) {
  try {
    return work();
  } catch (refusal) {
    if (refusal instanceof RangeError) throw new CannotCompute(refusal.message);
    throw refusal;
  }
}

/** @param {Ask} ask */
function zoneOf(ask) {
  const zone = ask.name("timezone");
  return typeof zone === "string" ? zone : calendar.DEFAULT_ZONE;
}

/**
 * A village that entered no holidays has none, so an empty list is not missing here.
 * @param {Ask} ask
 */
function holidaysOf(ask) {
  const rows = ask.name("holidays");
  /** @type {Set<bigint>} */
  const holidays = new Set();
  for (const row of Array.isArray(rows) ? rows : []) {
    const holiday = row instanceof Row ? ask.field(row, "holiday") : undefined;
    if (holiday instanceof Fraction) holidays.add(holiday.top);
  }
  return holidays;
}

/**
 * The last day of a period of calendar days, rolled off Sundays and holidays if the village says so.
 * @param {Ask} ask
 * @param {Fraction} day
 * @param {Fraction} count
 */
function lastDay(ask, day, count) {
  const rule = ask.name("last_day_rule");
  const holidays = holidaysOf(ask);
  if (rule === undefined) throw new Missing(["last_day_rule"]);
  if (!day.isWhole || !count.isWhole) throw new CannotCompute("last_day needs whole days");
  const end = day.top + count.top;
  return whole(rule === "wis_990_001_4" ? calendar.nextSecularDay(end, holidays) : end);
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

/**
 * @param {Ask} ask
 * @param {Fraction} day
 * @param {Fraction} count
 */
function businessDayAfter(ask, day, count) {
  const holidays = holidaysOf(ask);
  if (!day.isWhole || !count.isWhole) throw new CannotCompute("business_day_after needs whole days");
  return whole(orCannot(() => calendar.businessDayAfter(day.top, count.top, holidays)));
}

/**
 * Whether an instant lies in the night as the village defines it. sunset_calc and sunrise_calc are those of the
 * instant's civil day; under the definition `civil` they are given as civil dusk and dawn. Either one can decide.
 * @param {Ask} ask
 * @param {Fraction} time
 */
function isNight(ask, time) {
  const names = ["night_definition", "sunset_calc", "sunrise_calc"];
  const [definition, sunset, sunrise] = names.map(ask.name);
  if (definition !== undefined) {
    const shift = definition === "half_hour" ? HALF_HOUR : whole(0);
    if (sunset instanceof Fraction && time.compare(sunset.plus(shift)) >= 0) return true;
    if (sunrise instanceof Fraction && time.compare(sunrise.minus(shift)) < 0) return true;
  }
  const missing = names.filter((_, index) => [definition, sunset, sunrise][index] === undefined);
  if (missing.length) throw new Missing(missing);
  return false;
}

/**
 * Minutes until sunset_calc, negative after it.
 * @param {Ask} ask
 * @param {Fraction} time
 */
function minutesToSunset(ask, time) {
  const sunset = ask.name("sunset_calc");
  if (!(sunset instanceof Fraction)) throw new Missing(["sunset_calc"]);
  return sunset.minus(time).over(whole(60));
}

export const METHODS_ONLY = new Set(["startsWith", "endsWith", "contains"]);

/**
 * By name, each way of calling it: the kinds of its arguments, and what it computes.
 * @type {Map<string, [string, (ask: Ask, ...given: any[]) => Value][]>}
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
  ["local_day", [["number", (ask, time) => whole(orCannot(() => calendar.localDay(time, zoneOf(ask))))]]],
  ["minute_of", [["number", (ask, time) => whole(orCannot(() => calendar.minuteOfDay(time, zoneOf(ask))))]]],
  ["business_day_after", [["number, number", businessDayAfter]]],
  ["last_day", [["number, number", lastDay]]],
  ["low_of", [["text", lowOf]]],
  ["high_of", [["text", highOf]]],
  ["typed_in", [["number, text", (ask, number, unit) => ask.typedUnit() === unit]]],
  ["is_night", [["number", isNight]]],
  ["minutes_to_sunset", [["number", minutesToSunset]]],
]);
