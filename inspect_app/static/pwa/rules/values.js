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

/** Answers that are needed and not given, by path. */
export class Missing extends Error {
  /** @param {Iterable<string>} paths */
  constructor(paths) {
    super("not answered");
    this.paths = new Set(paths);
  }
}

/** The rule itself cannot be computed with these values; never counted as a pass. */
export class CannotCompute extends Error {}

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
