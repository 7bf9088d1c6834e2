// The values an expression works on, and the two ways in which it can have none.
// The Python twin is inspect_app/domain/values.py; change both together.

import { Fraction } from "./quantities.js";

/** @typedef {boolean | Fraction | string | Row | Value[]} Value */

/** A row of a list or a place: its answered fields, and where it stands among the answers. */
export class Row {
  /**
   * @param {string} path
   * @param {Map<string, Value>} fields
   * @param {number | null} [row] counted from 1, null for a record that is not a row
   */
  constructor(path, fields, row = null) {
    this.path = path;
    this.fields = fields;
    this.row = row;
  }
}

/**
 * Answers that are needed and not given, by path. Thrown at every keystroke of a half-filled form, so it is no Error:
 * recording the stack would cost more than the rule.
 */
export class Missing {
  /** @param {Iterable<string>} paths */
  constructor(paths) {
    this.paths = new Set(paths);
  }
}

/** The rule itself cannot be computed with these values; never counted as a pass. */
export class CannotCompute {
  /** @param {string} message */
  constructor(message) {
    this.message = message;
  }
}

/**
 * @param {Value} value
 * @returns {"bool" | "number" | "text" | "list" | "record"}
 */
export function kindOf(value) {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "text";
  if (value instanceof Fraction) return "number";
  return Array.isArray(value) ? "list" : "record";
}

/** @typedef {Missing | CannotCompute} Failure */

/**
 * An error outranks unknown; two unknowns need the answers of both.
 * @param {Failure | null} first
 * @param {Failure} second
 * @returns {Failure}
 */
export function worse(first, second) {
  if (first instanceof Missing && second instanceof Missing) return new Missing([...first.paths, ...second.paths]);
  return first instanceof CannotCompute ? first : second;
}

/**
 * @param {unknown} thrown
 * @returns {Failure}
 */
export function failureOf(thrown) {
  if (thrown instanceof Missing || thrown instanceof CannotCompute) return thrown;
  throw thrown;
}
