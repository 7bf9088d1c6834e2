/** How far apart two places are, as the crow flies. Pure. */

/** @typedef {{lat: number, lon: number}} Spot degrees, WGS 84 */

const EARTH_M = 6371008.8;
const FEET_A_METRE = 1 / 0.3048;
const FEET_A_MILE = 5280;

/** @param {Spot} a @param {Spot} b */
export function metresBetween(a, b) {
  const rad = Math.PI / 180;
  const half = (/** @type {number} */ degrees) => Math.sin((degrees * rad) / 2) ** 2;
  const h = half(b.lat - a.lat) + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * half(b.lon - a.lon);
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** "250 ft", "0.4 mi", "12 mi": no finer than a person would walk by. @param {number} metres */
export function far(metres) {
  const feet = metres * FEET_A_METRE;
  if (feet < 1000) return `${Math.max(10, Math.round(feet / 10) * 10)} ft`;
  const miles = feet / FEET_A_MILE;
  return `${miles < 10 ? miles.toFixed(1) : Math.round(miles)} mi`;
}

/** Where something is, if that is known: the office's position of an assignment, or where a visit took place.
 * @param {any} one @returns {Spot | null} */
export function spotOf(one) {
  if (one.spot) return one.spot;
  return Number.isFinite(one.latitude) && Number.isFinite(one.longitude) ? { lat: one.latitude, lon: one.longitude } : null;
}
