// What an expression of cel-subset/1 means: a value, unknown with the missing answers, or an error.
// Precedence where several things happen at once: a deciding value, then an error, then unknown.
// The Python twin is inspect_app/domain/expression.py; change both together.

import { FUNCTIONS, METHODS_ONLY } from "./functions.js";
import { arithmetic, notDefined, ordered, same } from "./operators.js";
import { Fraction } from "./quantities.js";
import { Let, NO_NAMES, NONE, Scope } from "./scope.js";
import { CannotCompute, failureOf, kindOf, Missing, Row, worse } from "./values.js";

export { parse } from "./syntax.js";
export { Scope };

/**
 * @typedef {import("./values.js").Value} Value
 * @typedef {import("./values.js").Failure} Failure
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./scope.js").Result} Result
 */

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

/** @param {Node} node @param {Scope} scope @param {Set<string>} reads @returns {Value} */
function run(node, scope, reads) {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "name":
      return read(node.name, scope, reads);
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

/** @param {string} name @param {Scope} scope @param {Set<string>} reads @returns {Value} */
function read(name, scope, reads) {
  const found = scope.find(name);
  if (found instanceof Let) return readLet(name, found, reads);
  if (found !== undefined) return found;
  const value = scope.answers.get(name);
  if (value === undefined) return derived(name, scope, reads);
  if (!(value instanceof Row)) reads.add(name);
  return value;
}

/**
 * What is not answered may follow from other answers; then these were read, or are missing.
 * @param {string} name
 * @param {Scope} scope
 * @param {Set<string>} reads
 */
function derived(name, scope, reads) {
  const result = scope.answers.derived?.(name);
  if (!result) throw new Missing([name]);
  return told(result, reads);
}

/** @param {string} name @param {Let} declared @param {Set<string>} reads @returns {Value} */
function readLet(name, declared, reads) {
  const { known } = declared.scope;
  let result = known.get(name);
  if (!result) {
    known.set(name, { missing: NONE, error: `${name} is defined by itself`, reads: NONE }); // while it is computed
    result = evaluate(declared.tree, declared.scope);
    known.set(name, result);
  }
  return told(result, reads);
}

/** @param {Result} result @param {Set<string>} reads @returns {Value} */
function told(result, reads) {
  for (const path of result.reads) reads.add(path);
  if (result.missing.size) throw new Missing(result.missing);
  if (result.value === undefined) throw new CannotCompute(result.error ?? "");
  return result.value;
}

/** @param {import("./tree.js").Select} node @param {Scope} scope @param {Set<string>} reads */
function select(node, scope, reads) {
  const record = run(node.record, scope, reads);
  if (!(record instanceof Row)) throw notDefined(".", record);
  const path = `${record.path}.${node.field}`;
  const value = record.fields.get(node.field);
  if (value === undefined) throw new Missing([path]);
  if (!(value instanceof Row)) reads.add(path);
  return value;
}

/** @param {import("./tree.js").Logic} node @param {Scope} scope @param {Set<string>} reads */
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
 * @param {import("./tree.js").Binary} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 */
function binary(node, scope, reads) {
  const words = wordsOf(node);
  if (words) {
    const left = run(node.left, scope, reads);
    if (typeof left === "string") return words.has(left) === (node.sign !== "!=");
  }
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

/** @type {WeakMap<object, Set<string> | null>} */
const wordsKept = new WeakMap();

/**
 * The texts in `== 'a'`, `!= 'a'` and `in ['a', 'b']`, the most frequent comparisons; otherwise null.
 * @param {import("./tree.js").Binary} node
 */
function wordsOf(node) {
  let words = wordsKept.get(node);
  if (words === undefined) {
    const isEqual = node.sign === "==" || node.sign === "!=";
    const items = isEqual ? [node.right] : node.sign === "in" && node.right.kind === "list" ? node.right.items : [];
    const texts = items.flatMap((item) => (item.kind === "literal" && typeof item.value === "string" ? [item.value] : []));
    words = texts.length && texts.length === items.length ? new Set(texts) : null;
    wordsKept.set(node, words);
  }
  return words;
}

/** @param {import("./tree.js").Call} node @param {Scope} scope @param {Set<string>} reads */
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
 * @param {import("./tree.js").Call} node
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
 * @param {import("./tree.js").Call} node
 * @param {Scope} scope
 * @param {Set<string>} reads
 * @returns {import("./functions.js").Ask}
 */
function askOf(node, scope, reads) {
  /** @type {import("./functions.js").Ask} */
  const ask = {
    name(name) {
      try {
        return read(name, scope, reads);
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

/** @param {import("./tree.js").Macro} node @param {Scope} scope @param {Set<string>} reads @returns {Value} */
function macro(node, scope, reads) {
  const rows = run(node.rows, scope, reads);
  if (!Array.isArray(rows)) throw notDefined(node.macro, rows);
  /** @type {Failure | null} */
  let failure = null;
  /** @type {Value[]} */
  const kept = [];
  /** @type {Map<string, Value>} */
  const bound = new Map();
  const inner = new Scope(scope.answers, NO_NAMES, bound, scope);
  for (const row of rows) {
    bound.set(node.name, row);
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

/** @param {Node[]} nodes @param {Scope} scope @param {Set<string>} reads @returns {Value[]} */
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

/** @param {Node} node @param {Scope} scope @param {Set<string>} reads */
function truth(node, scope, reads) {
  const value = run(node, scope, reads);
  if (typeof value !== "boolean") throw notDefined("yes or no", value);
  return value;
}
