// What a named function of the rule language may ask, and how it refuses.
// The Python twin is inspect_app/domain/asking.py.

import { CannotCompute } from "./values.js";

/**
 * @typedef {import("./values.js").Value} Value
 * @typedef {{name: (name: string) => Value | undefined, field: (row: Row, field: string) => Value | undefined,
 *   path: () => string, typedUnit: () => string | undefined}} Ask
 *   reads an answer or a field of a row, undefined when it is not answered; place and unit of the first argument
 * @typedef {[string, (ask: Ask, ...given: any[]) => Value]} Overload the kinds of its arguments, and what it computes
 * @typedef {import("./values.js").Row} Row
 * @typedef {import("./fraction.js").Fraction} Fraction
 */

/**
 * What the work gives; what it refuses with a RangeError cannot be computed, in its words.
 * @template T
 * @param {() => T} work
 */
export function orCannot(work) {
  try {
    return work();
  } catch (refusal) {
    if (refusal instanceof RangeError) throw new CannotCompute(refusal.message);
    throw refusal;
  }
}

/**
 * @param {string} name
 * @param {Fraction[]} given
 */
export function wholes(name, ...given) {
  if (!given.every((number) => number.isWhole)) throw new CannotCompute(`${name} needs whole numbers`);
  return given.map((number) => Number(number.top));
}
