// The named functions about sunset and the night.
// The Python twin is inspect_app/domain/sun_functions.py; change both together.

import { orCannot } from "./asking.js";
import { DEFAULT_ZONE, dayText, instant, localDay } from "./calendar.js";
import { Fraction, isBeyond, whole } from "./fraction.js";
import { sunTimes } from "./night.js";
import { Missing, Row } from "./values.js";

/**
 * @typedef {import("./values.js").Value} Value
 * @typedef {import("./asking.js").Ask} Ask
 */

const HALF_HOUR = whole(30 * 60);
const MILLION = whole(1_000_000);
const MOST_KEPT = 256;

/** @type {Map<string, (Fraction | undefined)[]>} sunset and sunrise by place, day and definition */
const kept = new Map();

/**
 * Whether an instant lies in the night as the village defines it. Either end alone can decide.
 * @param {Ask} ask
 * @param {Fraction} time
 */
function isNight(ask, time) {
  const [definition, sunset, sunrise] = nightOf(ask, time);
  if (definition !== undefined) {
    const shift = definition === "half_hour" ? HALF_HOUR : whole(0);
    if (sunset instanceof Fraction && time.compare(sunset.plus(shift)) >= 0) return true;
    if (sunrise instanceof Fraction && time.compare(sunrise.minus(shift)) < 0) return true;
  }
  const found = [definition, sunset, sunrise];
  const names = ["night_definition", "sunset_calc", "sunrise_calc"];
  const missing = names.filter((_, index) => found[index] === undefined);
  if (missing.length) throw new Missing(missing);
  return false;
}

/**
 * Sunset on the civil day of an instant; civil dusk where the village's night begins with it.
 * @param {Ask} ask
 * @param {Fraction} time
 * @returns {Fraction}
 */
function sunsetOf(ask, time) {
  const [, sunset] = nightOf(ask, time);
  if (!(sunset instanceof Fraction)) throw new Missing(["sunset_calc"]);
  return sunset;
}

/**
 * The village's definition, and sunset and sunrise of the civil day of an instant. sunset_calc and sunrise_calc are
 * used as given, under the definition `civil` as civil dusk and dawn. Where one is not given it is computed for the
 * visit's position, or without one for the village.
 * @param {Ask} ask
 * @param {Fraction} time
 * @returns {(Value | undefined)[]}
 */
function nightOf(ask, time) {
  const [definition, ...given] = ["night_definition", "sunset_calc", "sunrise_calc"].map(ask.name);
  if (given.every((known) => known instanceof Fraction)) return [definition, ...given];
  const position = positionOf(ask);
  if (!position) return [definition, ...given];
  const told = ask.name("timezone");
  const zone = typeof told === "string" ? told : DEFAULT_ZONE;
  const day = orCannot(() => localDay(time, zone));
  const computed = orCannot(() => sunOf(position[0], position[1], Number(day), zone, definition === "civil"));
  return [definition, ...given.map((known, index) => known ?? computed[index])];
}

/**
 * @param {Ask} ask
 * @returns {[number, number] | null}
 */
function positionOf(ask) {
  const fix = ask.name("gps");
  const [lat, lon] =
    fix instanceof Row
      ? ["lat", "lon"].map((name) => ask.field(fix, name))
      : ["village_latitude", "village_longitude"].map(ask.name);
  if (!(lat instanceof Fraction) || !(lon instanceof Fraction)) return null;
  if (isBeyond(lat, 90) || isBeyond(lon, 180)) return null;
  // Whole millionths are the same number in both languages, whatever was typed.
  return [Number(lat.times(MILLION).roundHalfUp()) / 1e6, Number(lon.times(MILLION).roundHalfUp()) / 1e6];
}

/**
 * @param {number} lat
 * @param {number} lon
 * @param {number} day
 * @param {string} zone
 * @param {boolean} civil
 */
function sunOf(lat, lon, day, zone, civil) {
  const key = `${lat} ${lon} ${day} ${zone} ${civil}`;
  let found = kept.get(key);
  if (!found) {
    const times = sunTimes(lat, lon, dayText(day), zone);
    const both = civil ? [times.civil_dusk, times.civil_dawn] : [times.sunset, times.sunrise];
    found = both.map((text) => (text === null ? undefined : (instant(text) ?? undefined)));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, found);
  }
  return found;
}

/** @type {[string, import("./asking.js").Overload[]][]} */
export const SUN_FUNCTIONS = [
  ["is_night", [["number", isNight]]],
  ["sunset_of", [["number", sunsetOf]]],
  ["minutes_to_sunset", [["number", (ask, time) => sunsetOf(ask, time).minus(time).over(whole(60))]]],
];
