// The named functions about days, periods and instants.
// The Python twin is inspect_app/domain/day_functions.py; change both together.

import { orCannot, wholes } from "./asking.js";
import * as calendar from "./calendar.js";
import { Fraction, whole } from "./fraction.js";
import { Missing, Row } from "./values.js";

/**
 * @typedef {import("./values.js").Value} Value
 * @typedef {import("./asking.js").Ask} Ask
 */

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
 * The last day of a period of calendar days, rolled off Sundays and holidays if the village says so; for what is paid
 * or filed also off a Saturday on which the office is closed.
 * @param {string[]} saturday
 * @returns {(ask: Ask, day: Fraction, count: Fraction) => Value}
 */
const lastDay = (...saturday) => (ask, day, count) => {
  const names = ["last_day_rule", ...saturday];
  const [rule, isOpen] = names.map(ask.name);
  const holidays = holidaysOf(ask);
  const missing = names.filter((_, index) => [rule, isOpen][index] === undefined);
  if (missing.length) throw new Missing(missing);
  wholes("last_day", day, count);
  const end = day.top + count.top;
  return whole(rule === "wis_990_001_4" ? calendar.nextSecularDay(end, holidays, isOpen !== false) : end);
};

/**
 * @param {string} name
 * @param {number} months
 * @returns {(ask: Ask, day: Fraction, count: Fraction) => Value}
 */
const later = (name, months) => (_, day, count) => {
  const [from, steps] = wholes(name, day, count.times(whole(months)));
  return whole(orCannot(() => calendar.monthsAfter(from, steps)));
};

/**
 * @param {string} name
 * @param {(parts: number[]) => number} part
 * @returns {(ask: Ask, day: Fraction) => Value}
 */
const partOf = (name, part) => (_, day) => whole(part(orCannot(() => calendar.partsOf(wholes(name, day)[0]))));

/**
 * @param {Ask} ask
 * @param {Fraction} day
 * @param {Fraction} count
 */
function businessDayAfter(ask, day, count) {
  const holidays = holidaysOf(ask);
  wholes("business_day_after", day, count);
  return whole(orCannot(() => calendar.businessDayAfter(day.top, count.top, holidays)));
}

/** @type {[string, import("./asking.js").Overload[]][]} */
export const DAY_FUNCTIONS = [
  ["local_day", [["number", (ask, time) => whole(orCannot(() => calendar.localDay(time, zoneOf(ask))))]]],
  ["minute_of", [["number", (ask, time) => whole(orCannot(() => calendar.minuteOfDay(time, zoneOf(ask))))]]],
  ["business_day_after", [["number, number", businessDayAfter]]],
  ["last_day", [["number, number", lastDay()]]],
  ["last_filing_day", [["number, number", lastDay("office_open_saturday")]]],
  ["months_after", [["number, number", later("months_after", 1)]]],
  ["years_after", [["number, number", later("years_after", 12)]]],
  ["year", [["number", partOf("year", ([year]) => year)]]],
  ["month_day", [["number", partOf("month_day", ([, month, day]) => 100 * month + day)]]],
];
