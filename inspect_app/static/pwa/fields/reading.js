/**
 * Readings as the screen shows them. What was typed stays; the plain number stands beside it. Pure.
 * All arithmetic is the rule engine's own, so that the number beside the box is the number that is judged.
 */
import { convert, formatExact, readNumber, Units, whyUnreadable } from "../rules/quantities.js";
import { t, unitWord } from "../words.js";
import { isDay } from "./moments.js";
import { say } from "./say.js";

let units = new Units({});

/** Takes the table of units of the village's pack: conversions are the pack's, not the screen's. @param {Units} table */
export function useUnits(table) { units = table; }

/** The unit that a rule reads a field in. @param {any} field @param {string[]} offered */
export const ruleUnit = (field, offered) => (field.unit && field.unit !== "by_param" ? field.unit : offered[0]) ?? "";

/** A reading as text with its unit, "5.5 in", in the unit asked for; empty where it says nothing readable.
 * @param {any} value @param {string} [unit] */
export function plain(value, unit) {
  const typed = typeof value === "object" && value !== null ? value : { value, unit: "" };
  const number = readNumber(String(typed.value ?? ""));
  if (number === null) return "";
  const from = typed.unit ?? unit ?? "";
  const converted = unit && from && from !== unit ? convert(number, from, unit, units) : number;
  // Units that do not convert into each other, psi and feet of water, stand for themselves.
  return converted === null ? "" : [formatExact(converted), unitWord(unit ?? from)].filter(Boolean).join(" ");
}

/** A reading as the exact number in a unit; null where it cannot be read, or the units do not convert into each other.
 * @param {any} value @param {string} unit */
export function exactNumber(value, unit) {
  const number = readNumber(String(value?.value ?? ""));
  if (number === null) return null;
  const from = value.unit ?? unit;
  return from === unit ? number : convert(number, from, unit, units);
}

/** The same for drawing only: the rule compares the exact one. @param {any} value @param {string} unit @returns {number | null} */
export function pixelsOf(value, unit) {
  const exact = exactNumber(value, unit);
  const number = exact === null ? NaN : Number(exact.top) / Number(exact.bottom);
  return Number.isFinite(number) ? number : null;
}

/** What stands beside the box: the plain number where the text is a fraction, the rule's unit where another was typed.
 * @param {any} value @param {string} unit the rule's unit */
export function beside(value, unit) {
  const text = String(value?.value ?? "").trim();
  const from = value?.unit ?? unit;
  if (!text || readNumber(text) === null) return "";
  if (from !== unit) return plain(value, unit) && `= ${plain(value, unit)}`;
  return /^\d*\.?\d*$/.test(text) ? "" : `= ${plain(value, unit)}`;
}

/** The sentence for text that could not be read, or "". @param {any} field @param {any} value */
export function message(field, value) {
  if (value === null || value === undefined || value === "") return "";
  if (field.type === "measure") return why(String(value.value ?? ""));
  if (field.type === "number") return why(String(value));
  if (field.type === "integer") return why(String(value)) || (/^-?\d+$/.test(String(value).trim()) ? "" : t.form.unclear);
  if (field.type === "clock") return isClock(value) ? "" : t.clock.unreadable;
  if (field.type === "date") return isDay(value) ? "" : t.time.unreadable;
  if (field.type === "time") return Number.isNaN(Date.parse(value)) ? t.time.unreadable : "";
  return "";
}

/** @param {string} text */
function why(text) {
  if (!text.trim() || readNumber(text) !== null) return "";
  return say(whyUnreadable(text)) || t.form.unclear;
}

/** A position on the pipe as on a watch. @param {any} text */
export const isClock = (text) => /^(0?[1-9]|1[0-2]):[0-5]\d$/.test(String(text).trim());

/** Degrees from the crown, either way round, of a clock position. @param {string} text @returns {number | null} */
export function degreesFromCrown(text) {
  const minutes = clockMinutes(text);
  if (minutes === null) return null;
  const degrees = minutes / 2;
  return degrees > 180 ? 360 - degrees : degrees;
}

/** Minutes since twelve on a watch, 0 to 719, or null. @param {string} text */
export function clockMinutes(text) {
  if (!isClock(text)) return null;
  const [hour, minute] = text.trim().split(":").map(Number);
  return (hour % 12) * 60 + minute;
}

/** A watch's text for minutes since twelve, of any size and sign. @param {number} minutes */
export function clockOf(minutes) {
  const within = ((Math.round(minutes) % 720) + 720) % 720;
  return `${Math.floor(within / 60) || 12}:${String(within % 60).padStart(2, "0")}`;
}

/** The position some minutes on; from nothing, the crown. @param {any} value @param {number} minutes */
export function stepped(value, minutes) {
  const now = clockMinutes(String(value ?? ""));
  return now === null ? "12:00" : clockOf(now + minutes);
}
