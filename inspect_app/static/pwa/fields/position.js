/** What is wrong with a position as typed. Pure. */
import { t } from "../words.js";

/** Miles from its village at which a position is a slip: latitude and longitude changed about, or a minus forgotten. */
const FAR_MILES = 30;

/** What is wrong with a position as typed, or "". @param {any} value @param {{name: string, latitude: number, longitude: number}} [village] */
export function positionMessage(value, village) {
  if (!value || value.lat === "" || value.lon === "") return "";
  const [lat, lon] = [Number(value.lat), Number(value.lon)];
  if (!Number.isFinite(lat) || !Number.isFinite(lon)) return t.place.unread;
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180) return t.place.outside;
  const miles = village ? milesBetween(lat, lon, village.latitude, village.longitude) : 0;
  return miles > FAR_MILES ? t.place.far(Math.round(miles), /** @type {any} */ (village).name) : "";
}

/** On a ball, which is near enough to tell a slip. @param {number} lat @param {number} lon @param {number} toLat @param {number} toLon */
function milesBetween(lat, lon, toLat, toLon) {
  const rad = Math.PI / 180;
  const half = (/** @type {number} */ by) => Math.sin((by * rad) / 2) ** 2;
  const h = half(toLat - lat) + Math.cos(lat * rad) * Math.cos(toLat * rad) * half(toLon - lon);
  return 2 * 3958.8 * Math.asin(Math.min(1, Math.sqrt(h)));
}
