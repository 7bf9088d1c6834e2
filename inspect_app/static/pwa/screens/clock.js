/** Whether the tablet's clock may be trusted with a signature: the office keeps both times, and the person should know. Pure. */
import { clockText, dayWords, wallClock } from "../fields/moments.js";
import { t } from "../words.js";

/** The office does not nag about less; the server flags from the same on (device_time.py). */
const TOLERANCE_MS = 120_000;

/**
 * A sentence about a wrong clock, or "". @param {{clock_offset_ms?: number | null, last_full_sync?: number | null} | null} status
 * @param {Date} now @param {string} timezone
 */
export function clockDoubt(status, now, timezone) {
  const { clock_offset_ms: offset, last_full_sync: last } = status ?? {};
  // After a flat battery a tablet begins in another year: the last word from the office is then in its future.
  if (last && now.getTime() + (offset ?? 0) < last - TOLERANCE_MS) {
    const then = new Date(last);
    return t.sign.clockBack(`${dayWords(wallClock(then, timezone).day, t.language)} ${clockText(then.toISOString(), timezone)}`);
  }
  if (!offset || Math.abs(offset) <= TOLERANCE_MS) return "";
  return t.sign.clockOff(Math.round(Math.abs(offset) / 60_000), offset > 0);
}
