// What a rule is made of, read once for all judgements: its lets, and which of its expressions need a row.
// A let or a check that does not speak of `item` is the same on every row, and is computed once.
// The Python twin is inspect_app/domain/prepared.py; change both together.

import { parse } from "./syntax.js";
import { childrenOf } from "./tree.js";

/** @typedef {import("./tree.js").Node} Node */

/**
 * Every name in an expression; those that a macro binds among them.
 * @param {Node} tree
 */
export function namesIn(tree) {
  /** @type {Set<string>} */
  const names = new Set();
  const waiting = [tree];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind === "name") names.add(node.name);
    waiting.push(...childrenOf(node));
  }
  return names;
}

/** A rule's lets as trees; `rowLets` are those that differ from row to row. */
export class Prepared {
  /** @param {import("./rules.js").Rule} rule */
  constructor(rule) {
    this.lets = new Map(Object.entries(rule.let ?? {}).map(([name, source]) => [name, parse(source)]));
    /** What differs from row to row: `item` and the lets that speak of it. */
    this.ofRows = new Set(["item"]);
    const names = [...this.lets].map(([name, tree]) => ({ name, inner: namesIn(tree) }));
    for (let before = 0; before < this.ofRows.size; ) {
      before = this.ofRows.size;
      for (const { name, inner } of names) if (this.isOfRows(inner)) this.ofRows.add(name);
    }
    this.rowLets = new Map([...this.lets].filter(([name]) => rule.each !== undefined && this.ofRows.has(name)));
    /** @type {Map<string, boolean>} */
    this.known = new Map();
  }

  /**
   * Whether an expression of this rule speaks of `item`, also by a let.
   * @param {string} source
   */
  needsRow(source) {
    let needs = this.known.get(source);
    if (needs === undefined) {
      needs = this.isOfRows(namesIn(parse(source)));
      this.known.set(source, needs);
    }
    return needs;
  }

  /** @param {Set<string>} names */
  isOfRows(names) {
    for (const name of names) if (this.ofRows.has(name)) return true;
    return false;
  }
}

/** @type {WeakMap<object, Prepared>} */
const kept = new WeakMap();

/**
 * @param {import("./rules.js").Rule} rule
 * @returns {Prepared}
 */
export function prepared(rule) {
  let found = kept.get(rule);
  if (!found) {
    found = new Prepared(rule);
    kept.set(rule, found);
  }
  return found;
}
