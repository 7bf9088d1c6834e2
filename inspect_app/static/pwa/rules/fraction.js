// Exact numbers, as the fractions module gives them to Python.

/** An exact number: a fraction of two whole numbers in lowest terms. */
export class Fraction {
  /**
   * @param {bigint} top
   * @param {bigint} [bottom] not zero
   */
  constructor(top, bottom = 1n) {
    if (bottom < 0n) {
      top = -top;
      bottom = -bottom;
    }
    const divisor = bottom === 1n ? 1n : greatestCommonDivisor(top, bottom);
    this.top = top / divisor;
    this.bottom = bottom / divisor;
  }

  /** @param {Fraction} other */
  plus(other) {
    if (this.bottom === other.bottom) return new Fraction(this.top + other.top, this.bottom);
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }

  /** @param {Fraction} other */
  minus(other) {
    return this.plus(other.negated());
  }

  /** @param {Fraction} other */
  times(other) {
    return new Fraction(this.top * other.top, this.bottom * other.bottom);
  }

  /** @param {Fraction} other not zero */
  over(other) {
    return new Fraction(this.top * other.bottom, this.bottom * other.top);
  }

  negated() {
    return new Fraction(-this.top, this.bottom);
  }

  /**
   * Negative, zero or positive as this number is less than, equal to or greater than the other.
   * @param {Fraction} other
   */
  compare(other) {
    const left = this.top * other.bottom;
    const right = other.top * this.bottom;
    return left < right ? -1 : left > right ? 1 : 0;
  }

  get isWhole() {
    return this.bottom === 1n;
  }

  /** The largest whole number that is not above this one. */
  floor() {
    const cut = this.top / this.bottom;
    return this.top < 0n && this.top % this.bottom !== 0n ? cut - 1n : cut;
  }

  /** The smallest whole number that is not below this one. */
  ceil() {
    return -this.negated().floor();
  }

  /** The nearest whole number; a half goes away from zero. */
  roundHalfUp() {
    const doubled = (2n * magnitude(this.top) + this.bottom) / (2n * this.bottom);
    return this.top < 0n ? -doubled : doubled;
  }
}

/** @param {bigint | number} number a whole number */
export function whole(number) {
  return new Fraction(BigInt(number));
}

/**
 * @param {bigint} a
 * @param {bigint} b
 */
function greatestCommonDivisor(a, b) {
  a = magnitude(a);
  while (b) [a, b] = [b, a % b];
  return a;
}

/** @param {bigint} number */
export function magnitude(number) {
  return number < 0n ? -number : number;
}

/**
 * Whether a number lies more than `limit` from zero.
 * @param {Fraction} number
 * @param {number} limit
 */
export function isBeyond(number, limit) {
  return number.compare(whole(limit)) > 0 || number.compare(whole(-limit)) < 0;
}
