/** Instants and days as the village's wall clock shows them. Pure: time comes in as an argument. */

/** @param {string} timezone */
function formatter(timezone) {
  let made = formatters.get(timezone);
  if (!made) {
    made = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit",
      hour: "2-digit", minute: "2-digit", second: "2-digit",
    });
    formatters.set(timezone, made);
  }
  return made;
}
/** @type {Map<string, Intl.DateTimeFormat>} */
const formatters = new Map();

/** The wall clock of a time zone at an instant. @param {Date} instant @param {string} timezone */
export function wallClock(instant, timezone) {
  const part = Object.fromEntries(formatter(timezone).formatToParts(instant).map((p) => [p.type, p.value]));
  return { day: `${part.year}-${part.month}-${part.day}`, time: `${part.hour}:${part.minute}`, seconds: String(part.second) };
}

/** Minutes east of Greenwich at an instant. @param {Date} instant @param {string} timezone */
export function offsetMinutes(instant, timezone) {
  const { day, time, seconds } = wallClock(instant, timezone);
  const asIfUtc = Date.parse(`${day}T${time}:${seconds}Z`);
  return Math.round((asIfUtc - Math.floor(instant.getTime() / 1000) * 1000) / 60000);
}

/**
 * An instant as ISO 8601 with the village's offset, 2026-06-18T13:10:00-05:00.
 * @param {Date} instant
 * @param {string} timezone
 */
export function withOffset(instant, timezone) {
  const { day, time, seconds } = wallClock(instant, timezone);
  return `${day}T${time}:${seconds}${offsetText(offsetMinutes(instant, timezone))}`;
}

/** @param {number} minutes */
function offsetText(minutes) {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
}

/**
 * The instant that a day and a wall-clock time mean in the village, as ISO text with offset; null where either is unreadable
 * or the hour does not exist that night. An hour that exists twice means its first passing, as a person at a trench means it.
 * @param {string} day YYYY-MM-DD @param {string} time HH:MM or HH:MM:SS @param {string} timezone
 * @returns {string | null}
 */
export function fromWallClock(day, time, timezone) {
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(time.trim());
  if (!isDay(day) || !clock) return null;
  const text = `${clock[1].padStart(2, "0")}:${clock[2]}`;
  const asIfUtc = Date.parse(`${day}T${text}:${clock[3] ?? "00"}Z`);
  const offsets = new Set([-1, 1].map((side) => offsetMinutes(new Date(asIfUtc + side * 86400000), timezone)));
  const meant = [...offsets]
    .map((offset) => new Date(asIfUtc - offset * 60000))
    .filter((instant) => { const wall = wallClock(instant, timezone); return wall.day === day && wall.time === text; })
    .sort((a, b) => a.getTime() - b.getTime());
  return meant.length ? withOffset(meant[0], timezone) : null;
}

/** Whether text is a day that exists. @param {string} day */
export function isDay(day) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return false;
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === day;
}

/** HH:MM of ISO text in the village, with seconds if asked for; empty where unreadable.
 * @param {string | null | undefined} iso @param {string} timezone @param {boolean} [seconds] */
export function clockText(iso, timezone, seconds = false) {
  const instant = new Date(iso ?? NaN);
  if (Number.isNaN(instant.getTime())) return "";
  const wall = wallClock(instant, timezone);
  return seconds ? `${wall.time}:${wall.seconds}` : wall.time;
}

/** A day in words, "Thursday 18 June", "jueves 18 de junio". @param {string} day @param {string} language @param {"long" | "short"} [weekday] */
export function dayWords(day, language, weekday = "long") {
  if (!isDay(day)) return "";
  const date = new Date(`${day}T12:00:00Z`);
  const part = (/** @type {Intl.DateTimeFormatOptions} */ options) => new Intl.DateTimeFormat(language, { ...options,
    timeZone: "UTC" }).format(date);
  const of = language === "es" && weekday === "long" ? "de " : "";
  return `${part({ weekday })} ${part({ day: "numeric" })} ${of}${part({ month: weekday })}`;
}
