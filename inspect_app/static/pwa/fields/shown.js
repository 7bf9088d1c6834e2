/** A value as one short text: in a folded row, a list, the review, two versions side by side. Pure. */
import { t, unitWord } from "../words.js";
import { clockText, dayWords, wallClock } from "./moments.js";
import { choicesOf } from "./spec.js";

/** @param {any} field @param {any} value @param {{timezone: string, row?: Record<string, any>}} env
 * @returns {{value: string, unit: string}} */
export function shownValue(field, value, { timezone }) {
  if (value === null || value === undefined || value === "") return { value: "", unit: "" };
  const label = (/** @type {any} */ slug) => choicesOf(field).find(([one]) => one === slug)?.[1] ?? t.answers[/** @type {"yes"} */ (slug)]
    ?? String(slug);
  switch (field.type) {
    case "measure": return { value: String(value.value ?? ""), unit: unitWord(value.unit ?? field.unit ?? "") };
    case "choice": return { value: label(value), unit: "" };
    case "choices": return { value: Array.isArray(value) ? value.map(label).join(", ") : "", unit: "" };
    case "bool3":
    case "bool": return { value: label(value === true ? "yes" : value === false ? "no" : value), unit: "" };
    case "date": return { value: dayWords(String(value), t.language, "short"), unit: "" };
    case "time": return { value: timeText(String(value), timezone), unit: "" };
    case "place": return { value: `${Number(value.lat).toFixed(5)}, ${Number(value.lon).toFixed(5)}`, unit: "" };
    case "list": return { value: isNames(field) && Array.isArray(value) ? value.map((one) => one[field.row[0].field]).join(", ") : Array.isArray(value) && value.length ? String(value.length) : "", unit: "" };
    default: return { value: typeof value === "object" ? "" : String(value), unit: "" };
  }
}

/** A list of one column of words, which is told by its words. @param {any} field */
const isNames = (field) => field.row?.length === 1 && field.row[0].type === "text" && !field.append_only;

/** The same as one text. @param {any} field @param {any} value @param {{timezone: string}} env */
export function shownText(field, value, env) {
  const { value: text, unit } = shownValue(field, value, env);
  return unit ? `${text} ${unit}` : text;
}

/** @param {string} iso @param {string} timezone */
function timeText(iso, timezone) {
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return iso;
  const { day, seconds } = wallClock(instant, timezone);
  const clock = clockText(iso, timezone, seconds !== "00");
  return `${dayWords(day, t.language, "short").replace(/^\S+ /, "")}, ${clock}`;
}
