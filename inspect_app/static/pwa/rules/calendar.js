// Civil days, instants, business days. A day is a whole number since 1970-01-01, an instant exact seconds.
// The Python twin is inspect_app/domain/calendar.py; change both together.

import { Fraction, whole } from "./quantities.js";

export const DEFAULT_ZONE = "America/Chicago";
const MOST_BUSINESS_DAYS = 1000n;

// Outside these the two languages' time-zone tables need not agree, and no inspection happened.
const FIRST_INSTANT = Date.UTC(1900, 0, 1) / 1000;
const LAST_INSTANT = Date.UTC(2200, 0, 1) / 1000;

const DAY = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const INSTANT =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,9}))?)?(?:Z|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))$/;
const CLOCK = /^([0-9]{1,2}):([0-5][0-9])$/;

/**
 * The day of `YYYY-MM-DD`, or null for a day that does not exist, such as 2026-02-30.
 * @param {string} text
 * @returns {number | null}
 */
export function dayNumber(text) {
  const found = DAY.exec(text);
  if (!found || found[1] === "0000") return null;
  const day = daysFrom(Number(found[1]), Number(found[2]), Number(found[3]));
  return dayText(day) === text ? day : null;
}

/**
 * `YYYY-MM-DD` of a day number; outside the years 1 to 9999 the number itself.
 * @param {number} day
 */
export function dayText(day) {
  const moment = new Date(day * 86400_000);
  const year = moment.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return String(day);
  return `${pad(year, 4)}-${pad(moment.getUTCMonth() + 1)}-${pad(moment.getUTCDate())}`;
}

/**
 * Day number of a date; a month or day that overflows rolls over. Date.UTC would take the years 0 to 99 for 1900 on.
 * @param {number} year
 * @param {number} month from 1
 * @param {number} day
 */
function daysFrom(year, month, day) {
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  return moment.getTime() / 86400_000;
}

/**
 * Seconds since 1970 UTC of an ISO 8601 instant, or null; without an offset it is no instant.
 * @param {string} text
 * @returns {Fraction | null}
 */
export function instant(text) {
  const found = INSTANT.exec(text);
  const day = found ? dayNumber(found[1]) : null;
  if (!found || day === null) return null;
  const [, , hour, minute, second = "0", decimals = "", sign, offsetHour, offsetMinute] = found;
  let seconds = day * 86400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  if (sign) seconds -= (sign === "+" ? 1 : -1) * (Number(offsetHour) * 3600 + Number(offsetMinute) * 60);
  const part = decimals ? new Fraction(BigInt(decimals), 10n ** BigInt(decimals.length)) : whole(0);
  return whole(seconds).plus(part);
}

/**
 * Minutes clockwise from the crown of a clock position `h:mm`; 12:00 is 0.
 * @param {string} text
 * @returns {number | null}
 */
export function clockMinutes(text) {
  const found = CLOCK.exec(text);
  if (!found || Number(found[1]) < 1 || Number(found[1]) > 12) return null;
  return 60 * (Number(found[1]) % 12) + Number(found[2]);
}

/**
 * `h:mm` of minutes clockwise from the crown.
 * @param {number} minutes
 */
export function clockText(minutes) {
  const turned = ((minutes % 720) + 720) % 720;
  return `${Math.floor(turned / 60) || 12}:${pad(turned % 60)}`;
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * Local day and minutes since midnight of an instant.
 * @param {Fraction} seconds
 * @param {string} zone
 * @returns {{day: number, minute: number}}
 * @throws {RangeError} for an unknown zone or a year outside 1900 to 2199
 */
function local(seconds, zone) {
  const at = Number(seconds.floor());
  if (!(at >= FIRST_INSTANT && at < LAST_INSTANT)) throw new RangeError("a time outside the calendar");
  let format = formats.get(zone);
  if (!format) {
    try {
      format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
        timeZone: zone,
        hourCycle: "h23",
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
      });
    } catch {
      throw new RangeError(`no time zone is named ${zone}`);
    }
    formats.set(zone, format);
  }
  /** @type {Record<string, number>} */
  const parts = {};
  for (const { type, value } of format.formatToParts(at * 1000)) parts[type] = Number(value);
  return { day: daysFrom(parts.year, parts.month, parts.day), minute: parts.hour * 60 + parts.minute };
}

/**
 * The civil day of an instant in a time zone.
 * @param {Fraction} seconds
 * @param {string} zone
 */
export function localDay(seconds, zone) {
  return local(seconds, zone).day;
}

/**
 * Minutes of the local clock since midnight.
 * @param {Fraction} seconds
 * @param {string} zone
 */
export function minuteOfDay(seconds, zone) {
  return local(seconds, zone).minute;
}

/**
 * `HH:MM` of an instant in a time zone.
 * @param {Fraction} seconds
 * @param {string} zone
 */
export function localTimeText(seconds, zone) {
  const { minute } = local(seconds, zone);
  return `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`;
}

/**
 * The day itself, or the next one that is neither a Sunday, a holiday nor a Saturday that is closed.
 * @param {bigint} day
 * @param {Set<bigint>} holidays
 * @param {boolean} [openOnSaturday]
 */
export function nextSecularDay(day, holidays, openOnSaturday = true) {
  while (weekday(day) >= (openOnSaturday ? 6n : 5n) || holidays.has(day)) day += 1n;
  return day;
}

/**
 * Year, month and day of a day number.
 * @param {number} day
 * @throws {RangeError} outside the years 1 to 9999
 */
export function partsOf(day) {
  const found = DAY.exec(dayText(day));
  if (!found) throw new RangeError("a day outside the calendar");
  return found.slice(1).map(Number);
}

/**
 * The same day of the month `count` months later, or the last day of a shorter month.
 * @param {number} day
 * @param {number} count
 */
export function monthsAfter(day, count) {
  const [year, month, ofMonth] = partsOf(day);
  const last = daysFrom(year, month + count + 1, 0);
  const found = Math.min(daysFrom(year, month + count, ofMonth), last);
  partsOf(found); // is it still in the calendar?
  return found;
}

/**
 * Monday is 0; day 0 was a Thursday.
 * @param {bigint} day
 */
function weekday(day) {
  return (((day + 3n) % 7n) + 7n) % 7n;
}

/**
 * The `count`-th day after a day that is no Saturday, Sunday or holiday.
 * @param {bigint} day
 * @param {bigint} count
 * @param {Set<bigint>} holidays
 * @throws {RangeError} for a count out of range
 */
export function businessDayAfter(day, count, holidays) {
  if (count < 0n || count > MOST_BUSINESS_DAYS) throw new RangeError("a count of business days out of range");
  while (count) {
    day += 1n;
    if (weekday(day) < 5n && !holidays.has(day)) count -= 1n;
  }
  return day;
}

/**
 * @param {number} number
 * @param {number} [width]
 */
function pad(number, width = 2) {
  return String(number).padStart(width, "0");
}
