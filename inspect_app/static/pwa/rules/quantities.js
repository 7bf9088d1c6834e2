// Readings as typed, exact numbers, and units. Nothing here rounds before it compares.
// The Python twin is inspect_app/domain/quantities.py; change both together.

import { Fraction, magnitude, whole } from "./fraction.js";

export { Fraction, whole };

const MOST_DIGITS = 30; // on each side of the point: more is a slip of the hand, and keeps arithmetic cheap

/** @type {Record<string, [bigint, bigint]>} */
const VULGAR = {
  "½": [1n, 2n], "⅓": [1n, 3n], "⅔": [2n, 3n], "¼": [1n, 4n], "¾": [3n, 4n], "⅕": [1n, 5n], "⅖": [2n, 5n],
  "⅗": [3n, 5n], "⅘": [4n, 5n], "⅙": [1n, 6n], "⅚": [5n, 6n], "⅛": [1n, 8n], "⅜": [3n, 8n], "⅝": [5n, 8n],
  "⅞": [7n, 8n],
};
const DIGITS = `[0-9]{1,${MOST_DIGITS}}`;
const NUMBER = new RegExp(
  `^(?<minus>[-\\u2212]?)(?:(?<decimal>${DIGITS}(?:\\.${DIGITS})?|\\.${DIGITS})` +
    "|(?<top>[0-9]{1,4})[/\\u2044](?<bottom>[0-9]{1,4})" +
    `|(?<whole>${DIGITS})(?:[ \\u00a0]+|-)(?<over>[0-9]{1,4})[/\\u2044](?<under>[0-9]{1,4})` +
    `|(?:(?<before>${DIGITS})[ \\u00a0]*-?)?(?<vulgar>[${Object.keys(VULGAR).join("")}]))$`,
);
const JSON_NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-]?[0-9]+))?$/i;
const FACTOR = /^([0-9]+)(?:\/([0-9]+))?$/;
const LINEAR = /^x \* ([0-9]+)\/([0-9]+) \+ ([0-9]+)$/;

/**
 * The exact number somebody typed, or null if it cannot be read without guessing.
 * `5.5`, `.5`, `5 1/2`, `5-1/2`, `5½`, `-0.1` are read. `1,5`, `24.`, `5'6"` and digits other than 0 to 9 are not.
 * @param {string} text
 * @returns {Fraction | null}
 */
export function readNumber(text) {
  const found = NUMBER.exec(stripBlank(text))?.groups;
  if (!found) return null;
  const number = magnitudeOf(found);
  return number && found.minus ? number.negated() : number;
}

/**
 * @param {Record<string, string>} found
 * @returns {Fraction | null}
 */
function magnitudeOf(found) {
  if (found.decimal) {
    const [before, decimals = ""] = found.decimal.split(".");
    return new Fraction(BigInt(before + decimals), 10n ** BigInt(decimals.length));
  }
  if (found.top) return BigInt(found.bottom) ? new Fraction(BigInt(found.top), BigInt(found.bottom)) : null;
  if (found.vulgar) return whole(BigInt(found.before ?? 0)).plus(new Fraction(...VULGAR[found.vulgar]));
  const over = BigInt(found.over);
  const under = BigInt(found.under);
  // 5 7/2 is more likely a slip than eight and a half.
  return over < under ? whole(BigInt(found.whole)).plus(new Fraction(over, under)) : null;
}

/**
 * The sentence to show at the field, or null if the text is empty or can be read.
 * @param {string} text
 * @returns {string | null}
 */
export function whyUnreadable(text) {
  const typed = stripBlank(text);
  if (!typed || readNumber(typed)) return null;
  const letters = [...typed];
  const shown = letters.length <= 24 ? typed : `${letters.slice(0, 24).join("")}…`;
  if (/^[0-9]{1,30},[0-9]{1,30}$/.test(typed)) {
    return `${shown} can be read two ways. Type ${typed.replace(",", ".")} or ${typed.replace(",", "")}.`;
  }
  if (/^[0-9.,]*,[0-9.,]*$/.test(typed)) {
    return `${shown} can be read two ways. Type it with one point and no comma.`;
  }
  if (new RegExp(`[0-9]{${MOST_DIGITS + 1},}`).test(typed)) {
    return `${shown} is longer than ${MOST_DIGITS} digits. Type the reading as the instrument shows it.`;
  }
  if (/^[0-9]{1,30}\.$/.test(typed)) {
    return `${shown} ends with a point. Type ${typed.slice(0, -1)} or ${typed}0.`;
  }
  if (/['"′″’”]/.test(typed)) return `${shown} holds two units. Type one number and choose its unit.`;
  if (/[0-9]\/0+$/.test(typed)) return `${shown} divides by nothing. Type a fraction such as 5 1/2.`;
  if (/[0-9][ -][0-9]+\/[0-9]/.test(typed)) {
    return `${shown} has more than one whole in its fraction. Type it as 5 1/2 or 5.5.`;
  }
  if (/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/.test(typed)) {
    return `${shown} is in digits this form does not read. Type it with 0 to 9 and a point.`;
  }
  if (/[0-9]/.test(typed) && /[A-Za-z°%]/.test(typed)) {
    return `${shown} is more than a number. Type the number alone and choose its unit.`;
  }
  return `${shown} is not a number. Type it as 5.5 or 5 1/2.`;
}

/**
 * The exact number of an answer: text as typed, or a JSON number by its shortest decimal text.
 * @param {unknown} value
 * @returns {Fraction | null}
 */
export function fromJson(value) {
  if (typeof value === "string") return readNumber(value);
  const found = typeof value === "number" ? JSON_NUMBER.exec(String(value)) : null;
  if (!found) return null;
  const [, minus, before, decimals = "", power = "0"] = found;
  const digits = BigInt(before + decimals);
  const places = Number(power) - decimals.length;
  const top = minus ? -digits : digits;
  return places >= 0 ? whole(top * 10n ** BigInt(places)) : new Fraction(top, 10n ** BigInt(-places));
}

/**
 * The number without any rounding: decimal text where it ends, otherwise `17/3`.
 * @param {Fraction} number
 */
export function exactText(number) {
  const places = placesOf(number);
  return places === null ? `${number.top}/${number.bottom}` : decimalText(number, places);
}

/**
 * Decimal text for display: exact within six decimals, otherwise rounded half up to three.
 * @param {Fraction} number
 */
export function formatExact(number) {
  const places = placesOf(number);
  if (places !== null && places <= 6) return decimalText(number, places);
  return decimalText(new Fraction(number.times(whole(1000)).roundHalfUp(), 1000n), 3);
}

/**
 * How many decimals the number has, or null if they never end.
 * @param {Fraction} number
 * @returns {number | null}
 */
function placesOf(number) {
  let rest = number.bottom;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; twos += 1) rest /= 2n;
  for (; rest % 5n === 0n; fives += 1) rest /= 5n;
  return rest === 1n ? Math.max(twos, fives) : null;
}

/**
 * @param {Fraction} number
 * @param {number} places
 */
function decimalText(number, places) {
  const scaled = (magnitude(number.top) * 10n ** BigInt(places)) / number.bottom;
  const digits = String(scaled).padStart(places + 1, "0");
  const text = places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits;
  return number.top < 0n && scaled ? `-${text}` : text;
}

/** The table of units that belong together, with exact factors to the first of each row; see the Python twin. */
export class Units {
  /** @param {Record<string, {accept: string[], factor: Record<string, string>}>} table */
  constructor(table) {
    /** @type {Map<string, Map<string, [Fraction, Fraction] | null>>} */
    this.factors = new Map();
    /** @type {Set<string>} */
    this.takenAsTyped = new Set();
    for (const [row, entry] of Object.entries(table)) {
      if (Object.values(entry.factor).some((text) => text.includes("not converted"))) this.takenAsTyped.add(row);
      this.factors.set(row, new Map(Object.entries(entry.factor).map(([unit, text]) => [unit, factor(text)])));
    }
  }

  /**
   * The same quantity in another unit, or null if the two do not convert into each other. `rows` limits the search
   * to the rows a field accepts, since ppm stands in more than one.
   * @param {Fraction} number
   * @param {string} fromUnit
   * @param {string} toUnit
   * @param {string[]} [rows]
   * @returns {Fraction | null}
   */
  convert(number, fromUnit, toUnit, rows = [...this.factors.keys()]) {
    for (const row of rows) {
      const factors = this.factors.get(row);
      if (!factors?.has(fromUnit) || !factors.has(toUnit)) continue;
      if (fromUnit === toUnit) return number;
      const start = factors.get(fromUnit);
      const end = factors.get(toUnit);
      if (start && end) return number.times(start[0]).plus(start[1]).minus(end[1]).over(end[0]);
    }
    return null;
  }

  /**
   * The number a rule compares: converted, or as typed in a row whose units belong to different methods.
   * @param {Fraction} number
   * @param {string} typedUnit
   * @param {string} unit
   * @param {string[]} rows
   * @returns {Fraction | null}
   */
  read(number, typedUnit, unit, rows) {
    for (const row of rows) {
      const units = this.factors.get(row);
      if (this.takenAsTyped.has(row) && units?.has(typedUnit) && units.has(unit)) return number;
    }
    return this.convert(number, typedUnit, unit, rows);
  }
}

/**
 * Scale and offset of a factor, or null for a unit that is not converted.
 * @param {string} text
 * @returns {[Fraction, Fraction] | null}
 */
function factor(text) {
  const plain = FACTOR.exec(text);
  if (plain) return [new Fraction(BigInt(plain[1]), BigInt(plain[2] ?? 1)), whole(0)];
  const linear = LINEAR.exec(text);
  return linear ? [new Fraction(BigInt(linear[1]), BigInt(linear[2])), whole(BigInt(linear[3]))] : null;
}

/**
 * The same quantity in another unit; see Units.convert.
 * @param {Fraction} number
 * @param {string} fromUnit
 * @param {string} toUnit
 * @param {Units} units
 */
export function convert(number, fromUnit, toUnit, units) {
  return units.convert(number, fromUnit, toUnit);
}

/**
 * Without the blanks a keyboard leaves around a reading.
 * @param {string} text
 */
export function stripBlank(text) {
  return text.replace(/^[ \t\r\n\u00a0]+|[ \t\r\n\u00a0]+$/g, "");
}
