/** The readings of the air by depth, those kept and the one being written, against the stop lines of the village's settings. */
import { gas as draw } from "../drawings/gas.js";
import { GASES } from "../drawings/parts.js";
import { pixelsOf, plain } from "../fields/reading.js";
import { inputId } from "../fields/spec.js";
import { t } from "../words.js";
import { newRowGroup } from "./asks.js";
import { isAnswered } from "./form.js";

/** Names of the settings, never their numbers. @type {Record<string, string[]>} */
const STOPS = { o2: ["o2_min_pct", "o2_max_pct"], lel: ["lel_stop_pct"], h2s: ["h2s_stop_ppm"], co: ["co_stop_ppm"] };

/** @param {any} visit */
export function gas(visit) {
  const rows = Array.isArray(visit.answers.gas) ? visit.answers.gas : [];
  const writing = !visit.readonly && Object.values(visit.values[newRowGroup("gas")] ?? {}).some(isAnswered);
  const kept = writing ? rows.length - 1 : rows.length;
  const drawn = (visit.readonly || writing ? rows : [...rows, {}]).map((/** @type {any} */ row, /** @type {number} */ n) => ({
    at: pixelsOf(row.depth, "ft"), depth: plain(row.depth, "ft"), written: !visit.readonly && n === kept,
    values: Object.fromEntries(GASES.map((gas) => [gas, plain(row[gas]).replace(/ .*/, "")])), past: past(visit, row),
  }));
  return draw({
    rows: drawn.sort((/** @type {any} */ a, /** @type {any} */ b) => (a.at ?? Infinity) - (b.at ?? Infinity) || Number(a.written) - Number(b.written)),
    stops: Object.fromEntries(GASES.map((gas) => [gas, stopOf(gas, visit.judge.settings)])),
    go: visit.readonly ? null : (cell) => visit.app.focus(inputId(cell, "gas", kept + 1)),
  });
}

/** @param {string} gas @param {Record<string, any>} settings */
function stopOf(gas, settings) {
  const numbers = STOPS[gas].map((name) => settings[name]);
  if (numbers.some((number) => !isAnswered(number))) return "";
  const unit = t.gas.units[gas];
  return `${numbers.length === 2 ? t.gas.range(String(numbers[0]), String(numbers[1])) : t.gas.stop(String(numbers[0]))}\u00a0${unit}`;
}

/** The gases of one reading that send everyone away: what the rules say of it alone. A check of the whole reading, as whether
 * work must stop, tells of no gas. @param {any} visit @param {any} row */
function past(visit, row) {
  const checks = visit.judge.alone("gas", row).filter((/** @type {any} */ check) => check.outcome === "violation");
  const cells = checks.map((/** @type {any} */ check) => check.fields.filter((/** @type {string} */ path) => path.startsWith("gas[")).map((/** @type {string} */ path) => path.split(".")[1]));
  return new Set(cells.flatMap((/** @type {string[]} */ some) => (some.length === 1 ? some : [])));
}

/** The gravest reading in a few words, "H2S 12 ppm ≥ 10 ppm at 8 ft", the latest first; "" where none is past its stop line.
 * @param {any} visit */
export function orderFigure(visit) {
  const rows = Array.isArray(visit.answers.gas) ? visit.answers.gas : [];
  for (const row of [...rows].reverse()) {
    const gas = GASES.find((one) => past(visit, row).has(one));
    const figure = gas && figureOf(gas, row, visit.judge.settings);
    if (figure) return figure;
  }
  return "";
}

/** @param {string} gas @param {any} row @param {Record<string, any>} settings */
function figureOf(gas, row, settings) {
  const [low, high] = STOPS[gas].map((name) => settings[name]);
  const [value, least] = [pixelsOf(row[gas], row[gas]?.unit ?? ""), Number(low)];
  if (value === null || !isAnswered(low)) return "";
  const [sign, limit] = high === undefined ? ["≥", low] : value < least ? ["<", low] : [">", high];
  return t.gas.order(`${t.gas.gases[gas]} ${plain(row[gas])} ${sign} ${limit} ${t.gas.units[gas]}`, plain(row.depth, "ft"));
}
