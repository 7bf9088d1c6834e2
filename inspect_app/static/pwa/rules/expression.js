// What an expression of cel-subset/1 means: a value, unknown with the missing answers, or an error.
// Precedence where several things happen at once: a deciding value, then an error, then unknown.
// The Python twin is inspect_app/domain/expression.py; change both together.

import { FUNCTIONS, METHODS_ONLY } from "./functions.js";
import { Fraction } from "./quantities.js";
import { CannotCompute, kindOf, Missing, Row } from "./values.js";

export { parse } from "./syntax.js";

/**
 * @typedef {import("./values.js").Value} Value
 * @typedef {import("./syntax.js").Node} Node
 * @typedef {{get: (name: string) => Value | undefined, typedUnit?: (path: string) => string | undefined}} Answers
 *   the value of a name, undefined if not answered
 * @typedef {{value?: Value, missing: Set<string>, error: string | null, reads: Set<string>}} Result
 *   exactly one of a value, paths that are missing, and the reason it cannot be computed
 * @typedef {Missing | CannotCompute} Failure
 */

/** @type {Set<string>} */
const NONE = new Set();
/** @type {Map<string, any>} */
const NO_NAMES = new Map();

/**
 * What names stand for: bound ones (`item`, the name of a macro), `let` expressions, then answers. A let is computed
 * when it is first read and remembered, so a rule pays for it once.
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
   * @param {string} name
   * @param {Set<string>} reads
   * @returns {Value}
   */
  read(name, reads) {
    for (let scope = /** @type {Scope | null} */ (this); scope; scope = scope.parent) {
      const bound = scope.bound.get(name);
      if (bound !== undefined) return bound;
      const tree = scope.lets.get(name);
      if (tree) return scope.compute(name, tree, reads);
    }
    const value = this.answers.get(name);
    if (value === undefined) throw new Missing([name]);
    if (!(value instanceof Row)) reads.add(name);
    return value;
  }

  /**
   * @param {string} name
   * @param {Node} tree
   * @param {Set<string>} reads
   * @returns {Value}
   */
  compute(name, tree, reads) {
    let result = this.known.get(name);
    if (!result) {
      this.known.set(name, { missing: NONE, error: `${name} is defined by itself`, reads: NONE });
      result = evaluate(tree, this);
      this.known.set(name, result);
    }
    for (const path of result.reads) reads.add(path);
    if (result.missing.size) throw new Missing(result.missing);
    if (result.value === undefined) throw new CannotCompute(result.error ?? "");
    return result.value;
  }
}

/**
 * Run an expression; never throws for anything an answer can hold.
 * @param {Node} tree
 * @param {Scope} scope
 * @returns {Result}
 */
export function evaluate(tree, scope) {
  /** @type {Set<string>} */
  const reads = new Set();
  try {
    return { value: run(tree, scope, reads), missing: NONE, error: null, reads };
  } catch (thrown) {
    const failure = failureOf(thrown);
    return failure instanceof Missing
      ? { missing: failure.paths, error: null, reads }
      : { missing: NONE, error: failure.message, reads };
  }
}

/**
 * @param {Node} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 * @returns {Value}
 */
function run(node, scope, reads) {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "name":
      return scope.read(node.name, reads);
    case "select":
      return select(node, scope, reads);
    case "list":
      return allOf(node.items, scope, reads);
    case "logic":
      return logic(node, scope, reads);
    case "choose":
      return run(truth(node.condition, scope, reads) ? node.then : node.otherwise, scope, reads);
    case "not":
      return !truth(node.operand, scope, reads);
    case "negate": {
      const value = run(node.operand, scope, reads);
      if (!(value instanceof Fraction)) throw notDefined("-", value);
      return value.negated();
    }
    case "binary":
      return binary(node, scope, reads);
    case "call":
      return call(node, scope, reads);
    case "macro":
      return macro(node, scope, reads);
  }
}

/**
 * @param {import("./syntax.js").Select} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 */
function select(node, scope, reads) {
  const record = run(node.record, scope, reads);
  if (!(record instanceof Row)) throw notDefined(".", record);
  const path = `${record.path}.${node.field}`;
  const value = record.fields.get(node.field);
  if (value === undefined) throw new Missing([path]);
  if (!(value instanceof Row)) reads.add(path);
  return value;
}

/**
 * @param {import("./syntax.js").Logic} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 */
function logic(node, scope, reads) {
  const decides = node.sign === "||";
  /** @type {Failure | null} */
  let failure = null;
  for (const part of node.parts) {
    try {
      if (truth(part, scope, reads) === decides) return decides;
    } catch (thrown) {
      failure = worse(failure, failureOf(thrown));
    }
  }
  if (failure) throw failure;
  return !decides;
}

/**
 * Both sides are read even if the first is missing: the inspector hears of all that is missing at once.
 * @param {import("./syntax.js").Binary} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 */
function binary(node, scope, reads) {
  const [left, right] = allOf([node.left, node.right], scope, reads);
  switch (node.sign) {
    case "==":
      return same(left, right);
    case "!=":
      return !same(left, right);
    case "in":
      if (!Array.isArray(right)) throw notDefined("in", left, right);
      return right.some((item) => same(left, item));
    case "+":
    case "-":
    case "*":
    case "/":
      return arithmetic(node.sign, left, right);
    default:
      return ordered(node.sign, left, right);
  }
}

/**
 * @param {import("./syntax.js").Call} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 */
function call(node, scope, reads) {
  if (node.function === "first" && !node.isMethod) return firstKnown(node, scope, reads);
  const given = allOf(node.arguments, scope, reads);
  const kinds = given.map(kindOf).join(", ");
  const asMethod = METHODS_ONLY.has(node.function);
  if (node.isMethod === asMethod || node.function === "size") {
    for (const [takes, compute] of FUNCTIONS.get(node.function) ?? []) {
      if (takes === kinds) return compute(askOf(node, scope, reads), ...given);
    }
  }
  throw new CannotCompute(`no such function ${node.function}(${kinds})`);
}

/**
 * The first argument that is known; if none is, what the first one needs.
 * @param {import("./syntax.js").Call} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 */
function firstKnown(node, scope, reads) {
  /** @type {Missing | null} */
  let unknown = null;
  for (const argument of node.arguments) {
    try {
      return run(argument, scope, reads);
    } catch (thrown) {
      if (!(thrown instanceof Missing)) throw thrown;
      unknown ??= thrown;
    }
  }
  throw unknown ?? new CannotCompute("first needs arguments");
}

/**
 * What a named function may ask: names and fields of rows, noted like any other read.
 * @param {import("./syntax.js").Call} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 * @returns {import("./functions.js").Ask}
 */
function askOf(node, scope, reads) {
  /** @type {import("./functions.js").Ask} */
  const ask = {
    name(name) {
      try {
        return scope.read(name, reads);
      } catch (thrown) {
        if (thrown instanceof Missing) return undefined;
        throw thrown;
      }
    },
    field(row, field) {
      const value = row.fields.get(field);
      if (value !== undefined && !(value instanceof Row)) reads.add(`${row.path}.${field}`);
      return value;
    },
    path() {
      const argument = node.arguments[0];
      if (argument.kind === "select") {
        const record = run(argument.record, scope, reads);
        return record instanceof Row ? `${record.path}.${argument.field}` : argument.field;
      }
      return argument.kind === "name" ? argument.name : node.function;
    },
    typedUnit() {
      return scope.answers.typedUnit?.(ask.path());
    },
  };
  return ask;
}

/**
 * @param {import("./syntax.js").Macro} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 * @returns {Value}
 */
function macro(node, scope, reads) {
  const rows = run(node.rows, scope, reads);
  if (!Array.isArray(rows)) throw notDefined(node.macro, rows);
  /** @type {Failure | null} */
  let failure = null;
  /** @type {Value[]} */
  const kept = [];
  for (const row of rows) {
    const inner = new Scope(scope.answers, NO_NAMES, new Map([[node.name, row]]), scope);
    let holds = false;
    try {
      if (node.macro === "map") {
        kept.push(run(node.body, inner, reads));
        continue;
      }
      holds = truth(node.body, inner, reads);
    } catch (thrown) {
      failure = worse(failure, failureOf(thrown));
      continue;
    }
    if ((node.macro === "all" && !holds) || (node.macro === "exists" && holds)) return holds;
    if (holds) kept.push(row);
  }
  if (failure) throw failure;
  if (node.macro === "filter" || node.macro === "map") return kept;
  return node.macro === "exists_one" ? kept.length === 1 : node.macro === "all";
}

/**
 * @param {Node[]} nodes
 * @param {Scope} scope
 * @param {Set<string>} reads
 * @returns {Value[]}
 */
function allOf(nodes, scope, reads) {
  /** @type {Failure | null} */
  let failure = null;
  /** @type {Value[]} */
  const values = [];
  for (const node of nodes) {
    try {
      values.push(run(node, scope, reads));
    } catch (thrown) {
      failure = worse(failure, failureOf(thrown));
    }
  }
  if (failure) throw failure;
  return values;
}

/**
 * @param {Node} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 */
function truth(node, scope, reads) {
  const value = run(node, scope, reads);
  if (typeof value !== "boolean") throw notDefined("yes or no", value);
  return value;
}

/**
 * An error outranks unknown; two unknowns need the answers of both.
 * @param {Failure | null} first
 * @param {Failure} second
 * @returns {Failure}
 */
function worse(first, second) {
  if (first instanceof Missing && second instanceof Missing) return new Missing([...first.paths, ...second.paths]);
  return first instanceof CannotCompute ? first : second;
}

/**
 * @param {unknown} thrown
 * @returns {Failure}
 */
function failureOf(thrown) {
  if (thrown instanceof Missing || thrown instanceof CannotCompute) return thrown;
  throw thrown;
}

/**
 * @param {string} sign
 * @param {Value[]} values
 */
function notDefined(sign, ...values) {
  return new CannotCompute(`${sign} is not defined for ${values.map(kindOf).join(", ")}`);
}

/**
 * @param {Value} left
 * @param {Value} right
 * @returns {boolean}
 */
function same(left, right) {
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
function ordered(sign, left, right) {
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
function arithmetic(sign, left, right) {
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
