/** How long it is until night at this visit, as the village defines it. The sun is computed where the rules compute it. */
import { clockText, wallClock } from "../fields/moments.js";
import { sunContext } from "../rules/night.js";
import { t } from "../words.js";

const HALF_HOUR_MS = 30 * 60000;

/**
 * @param {{answers: any, context: any, now: Date, timezone: string}} of
 * @returns {{text: string, night: boolean} | null} null where nobody knows where this is, or the sun does not set
 */
export function sunset({ answers, context, now, timezone }) {
  const [lat, lon] = [answers.gps?.lat ?? context.village_latitude, answers.gps?.lon ?? context.village_longitude].map(Number);
  if (!Number.isFinite(lat) || !Number.isFinite(lon)) return null;
  const definition = context.sunset_definition ?? "sunset";
  const times = sunContext(lat, lon, wallClock(now, timezone).day, timezone, definition);
  if (!times.sunset_calc || !times.sunrise_calc) return null;
  const shift = definition === "half_hour" ? HALF_HOUR_MS : 0;
  const [dusk, dawn] = [Date.parse(times.sunset_calc) + shift, Date.parse(times.sunrise_calc) - shift];
  const clock = (/** @type {number} */ at) => clockText(new Date(at).toISOString(), timezone);
  if (now.getTime() >= dusk) return { night: true, text: t.dig.since(clock(dusk)) };
  if (now.getTime() < dawn) return { night: true, text: t.dig.until(clock(dawn)) };
  const minutes = Math.ceil((dusk - now.getTime()) / 60000);
  const left = t.dig.left(Math.floor(minutes / 60), minutes % 60);
  return { night: false, text: definition === "sunset" ? t.dig.sunset(clock(dusk), left) : t.dig.from(clock(Date.parse(times.sunset_calc)), clock(dusk), left) };
}

/** Draws again when the next minute begins, as long as somebody looks. @param {{now: () => Date, render: () => void}} app */
export function tick(app) {
  clearTimeout(timer);
  timer = setTimeout(app.render, 60000 - (app.now().getTime() % 60000));
}
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
