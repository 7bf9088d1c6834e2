// Sunrise, sunset and civil twilight without a network, by the equations of NOAA's solar calculator (Meeus).
// Good to about a minute at these latitudes, and not certified for litigation. The results are rounded to the minute,
// stored with the finding and never computed again in a rule: sine and cosine may differ in the last digit between
// languages. The Python twin is inspect_app/domain/night.py; change both together.

import { dayNumber, dayText, localDay } from "./calendar.js";
import { whole } from "./quantities.js";

const ZENITH_SUN = 90.833; // the upper edge on the horizon, with refraction
const ZENITH_CIVIL = 96;
const STEPS = 4; // the sun moves while we compute; after the third step nothing changes by a second
const JULIAN_DAY_OF_1970 = 2440587.5;

/** @param {number} degrees */
const radians = (degrees) => degrees * (Math.PI / 180);
/** @param {number} angle in radians */
const degrees = (angle) => angle * (180 / Math.PI);

/**
 * sunrise, sunset, civil_dawn, civil_dusk of a civil day as instants in UTC, to the minute; null where the sun does
 * not cross that height on the day. Degrees, north and east positive.
 * @param {number} lat
 * @param {number} lon
 * @param {string} day YYYY-MM-DD
 * @param {string} timezone
 * @throws {RangeError} if there is no such day or time zone
 */
export function sunTimes(lat, lon, day, timezone) {
  const start = dayNumber(day);
  if (start === null) throw new RangeError(`${day} is not a day`);
  // West of Greenwich noon falls on the same day as in UTC, but near the date line it may not.
  let noon = start * 1440 + 720 - 4 * lon;
  noon += 1440 * (start - localDay(whole(Math.floor(noon * 60)), timezone));
  return {
    sunrise: crossing(lat, noon, ZENITH_SUN, -1),
    sunset: crossing(lat, noon, ZENITH_SUN, 1),
    civil_dawn: crossing(lat, noon, ZENITH_CIVIL, -1),
    civil_dusk: crossing(lat, noon, ZENITH_CIVIL, 1),
  };
}

/**
 * The context fields that is_night reads, for a village's night_definition.
 * @param {number} lat
 * @param {number} lon
 * @param {string} day
 * @param {string} timezone
 * @param {string} definition sunset, half_hour or civil
 */
export function sunContext(lat, lon, day, timezone, definition) {
  const times = sunTimes(lat, lon, day, timezone);
  const civil = definition === "civil";
  return {
    sunset_calc: civil ? times.civil_dusk : times.sunset,
    sunrise_calc: civil ? times.civil_dawn : times.sunrise,
    sunset_definition: definition,
  };
}

/**
 * When the sun passes a zenith angle before (-1) or after (1) noon; minutes are counted from 1970 UTC.
 * @param {number} lat
 * @param {number} noon
 * @param {number} zenith
 * @param {number} side
 */
function crossing(lat, noon, zenith, side) {
  let moment = noon;
  for (let step = 0; step < STEPS; step += 1) {
    const { declination, equation } = sun(moment);
    const angle = hourAngle(lat, declination, zenith);
    if (angle === null) return null;
    moment = noon - equation + side * 4 * angle;
  }
  return iso(Math.floor(moment + 0.5));
}

/**
 * Degrees the earth turns between noon and the crossing.
 * @param {number} lat
 * @param {number} declination
 * @param {number} zenith
 */
function hourAngle(lat, declination, zenith) {
  const [north, sunAt] = [radians(lat), radians(declination)];
  const ratio =
    Math.cos(radians(zenith)) / (Math.cos(north) * Math.cos(sunAt)) - Math.tan(north) * Math.tan(sunAt);
  return ratio >= -1 && ratio <= 1 ? degrees(Math.acos(ratio)) : null;
}

/**
 * Declination in degrees and equation of time in minutes.
 * @param {number} minutes
 */
function sun(minutes) {
  const century = (minutes / 1440 + JULIAN_DAY_OF_1970 - 2451545.0) / 36525.0;
  const meanLongitude = (((280.46646 + century * (36000.76983 + century * 0.0003032)) % 360) + 360) % 360;
  const anomaly = radians(357.52911 + century * (35999.05029 - 0.0001537 * century));
  const eccentricity = 0.016708634 - century * (0.000042037 + 0.0000001267 * century);
  const center =
    Math.sin(anomaly) * (1.914602 - century * (0.004817 + 0.000014 * century)) +
    Math.sin(2 * anomaly) * (0.019993 - 0.000101 * century) +
    Math.sin(3 * anomaly) * 0.000289;
  const node = radians(125.04 - 1934.136 * century);
  const longitude = radians(meanLongitude + center - 0.00569 - 0.00478 * Math.sin(node));
  const seconds = 21.448 - century * (46.815 + century * (0.00059 - century * 0.001813));
  const obliquity = radians(23 + (26 + seconds / 60) / 60 + 0.00256 * Math.cos(node));
  const declination = degrees(Math.asin(Math.sin(obliquity) * Math.sin(longitude)));
  const y = Math.tan(obliquity / 2) * Math.tan(obliquity / 2);
  const twice = radians(2 * meanLongitude);
  const equation =
    y * Math.sin(twice) -
    2 * eccentricity * Math.sin(anomaly) +
    4 * eccentricity * y * Math.sin(anomaly) * Math.cos(twice) -
    0.5 * y * y * Math.sin(2 * twice) -
    1.25 * eccentricity * eccentricity * Math.sin(2 * anomaly);
  return { declination, equation: 4 * degrees(equation) };
}

/** @param {number} minutes */
function iso(minutes) {
  const day = Math.floor(minutes / 1440);
  const minute = minutes - day * 1440;
  const pad = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${dayText(day)}T${pad(Math.floor(minute / 60))}:${pad(minute % 60)}:00Z`;
}
