// Comparison and arithmetic between two values. The Python twin is inspect_app/domain/operators.py.

import { Fraction } from "./quantities.js";
import { CannotCompute, kindOf, Row } from "./values.js";

/** @typedef {import("./values.js").Value} Value */

/**
 * @param {string} sign
 * @param {Value[]} values
 */
export function notDefined(sign, ...values) {
  return new CannotCompute(`${sign} is not defined for ${values.map(kindOf).join(", ")}`);
}

/**
 * @param {Value} left
 * @param {Value} right
 * @returns {boolean}
 */
export function same(left, right) {
  if (left instanceof Row || right instanceof Row) throw notDefined("==", left, right);
  if (left instanceof Fraction && right instanceof Fraction) return left.compare(right) === 0;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => same(item, right[index]));
  }
  return left === right;
}

/**
 * @param {string} sign
 * @param {Value} left
 * @param {Value} right
 */
export function ordered(sign, left, right) {
  let order = 0;
  if (left instanceof Fraction && right instanceof Fraction) order = left.compare(right);
  else if (typeof left === "string" && typeof right === "string") order = compareTexts(left, right);
  else throw notDefined(sign, left, right);
  if (sign === "<") return order < 0;
  if (sign === "<=") return order <= 0;
  return sign === ">" ? order > 0 : order >= 0;
}

/**
 * By code points as Python does, where JavaScript would compare halves of a character.
 * @param {string} left
 * @param {string} right
 */
function compareTexts(left, right) {
  const [a, b] = [[...left], [...right]];
  for (let index = 0; index < a.length && index < b.length; index += 1) {
    const step = (a[index].codePointAt(0) ?? 0) - (b[index].codePointAt(0) ?? 0);
    if (step) return step;
  }
  return a.length - b.length;
}

/**
 * @param {string} sign
 * @param {Value} left
 * @param {Value} right
 * @returns {Value}
 */
export function arithmetic(sign, left, right) {
  if (left instanceof Fraction && right instanceof Fraction) {
    if (sign === "+") return left.plus(right);
    if (sign === "-") return left.minus(right);
    if (sign === "*") return left.times(right);
    if (right.top === 0n) throw new CannotCompute("division by zero");
    return left.over(right);
  }
  if (sign === "+" && typeof left === "string" && typeof right === "string") return left + right;
  if (sign === "+" && Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  throw notDefined(sign, left, right);
}
