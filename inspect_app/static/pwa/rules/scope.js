// What the names of an expression stand for, and what an expression gives.
// The Python twin is inspect_app/domain/scope.py; change both together.

/**
 * @typedef {import("./values.js").Value} Value
 * @typedef {import("./tree.js").Node} Node
 * @typedef {{get: (name: string) => Value | undefined, typedUnit?: (path: string) => string | undefined,
 *   derived?: (name: string) => Result | undefined}} Answers the value of a name, undefined if not answered; `derived`
 *   is what the product works out of other answers where a name is not answered
 * @typedef {{value?: Value, missing: Set<string>, error: string | null, reads: Set<string>}} Result
 *   exactly one of a value, paths that are missing, and the reason it cannot be computed
 */

/** @type {Set<string>} */
export const NONE = new Set();
/** @type {Map<string, any>} */
export const NO_NAMES = new Map();

/** A name that stands for an expression, and the scope that declares it. */
export class Let {
  /**
   * @param {Node} tree
   * @param {Scope} scope
   */
  constructor(tree, scope) {
    this.tree = tree;
    this.scope = scope;
  }
}

/**
 * Bound names (`item`, the name of a macro), then `let` expressions, then those of the parent, then answers.
 * `known` remembers what a let gave, so that a rule pays for it once.
 */
export class Scope {
  /**
   * @param {Answers} answers
   * @param {Map<string, Node>} [lets]
   * @param {Map<string, Value>} [bound]
   * @param {Scope | null} [parent]
   */
  constructor(answers, lets = NO_NAMES, bound = NO_NAMES, parent = null) {
    this.answers = answers;
    this.lets = lets;
    this.bound = bound;
    this.parent = parent;
    /** @type {Map<string, Result>} */
    this.known = new Map();
  }

  /**
   * The bound value or the let of a name; undefined if it can only be an answer.
   * @param {string} name
   * @returns {Value | Let | undefined}
   */
  find(name) {
    for (let scope = /** @type {Scope | null} */ (this); scope; scope = scope.parent) {
      const bound = scope.bound.get(name);
      if (bound !== undefined) return bound;
      const tree = scope.lets.get(name);
      if (tree) return new Let(tree, scope);
    }
    return undefined;
  }
}
