// The tree of an expression: its nodes, and how deep it is.
// Text becomes a tree in syntax.js and gets its meaning in expression.js. The Python twin is inspect_app/domain/tree.py.

/**
 * @typedef {{kind: "literal", value: boolean | import("./quantities.js").Fraction | string}} Literal
 * @typedef {{kind: "name", name: string}} Name
 * @typedef {{kind: "select", record: Node, field: string}} Select
 * @typedef {{kind: "list", items: Node[]}} ListOf
 * @typedef {{kind: "logic", sign: string, parts: Node[]}} Logic a whole chain, so that a long chain is not deep
 * @typedef {{kind: "binary", sign: string, left: Node, right: Node}} Binary
 * @typedef {{kind: "not", operand: Node}} Not
 * @typedef {{kind: "negate", operand: Node}} Negate
 * @typedef {{kind: "choose", condition: Node, then: Node, otherwise: Node}} Choose
 * @typedef {{kind: "call", function: string, arguments: Node[], isMethod: boolean}} Call
 * @typedef {{kind: "macro", macro: string, rows: Node, name: string, body: Node}} Macro
 * @typedef {Literal | Name | Select | ListOf | Logic | Binary | Not | Negate | Choose | Call | Macro} Node
 */

/**
 * @param {Node} node
 * @returns {Node[]}
 */
export function childrenOf(node) {
  switch (node.kind) {
    case "select":
      return [node.record];
    case "list":
      return node.items;
    case "logic":
      return node.parts;
    case "binary":
      return [node.left, node.right];
    case "not":
    case "negate":
      return [node.operand];
    case "choose":
      return [node.condition, node.then, node.otherwise];
    case "call":
      return node.arguments;
    case "macro":
      return [node.rows, node.body];
    default:
      return [];
  }
}

/** @param {Node} tree */
export function depthOf(tree) {
  let depth = 0;
  for (let row = [tree]; row.length; row = row.flatMap(childrenOf)) depth += 1;
  return depth;
}
