// The rule language cel-subset/1: lexer, limits and parser. Its nodes are in tree.js.
// The Python twin is inspect_app/domain/syntax.py; change both together.

import { readNumber } from "./quantities.js";
import { depthOf } from "./tree.js";

export const MOST_CHARACTERS = 2000;
export const MOST_LEVELS = 50;
const MACROS = new Set(["all", "exists", "exists_one", "filter", "map"]);
const RESERVED = new Set([
  "as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop", "package",
  "namespace", "return", "var", "void", "while", "true", "false",
]);
const TOKEN =
  /(?<blank>[ \t\r\n]+)|(?<number>[0-9]+(?:\.[0-9]+)?)|(?<name>[A-Za-z_][A-Za-z0-9_]*)|'(?<text>[^'\\\r\n]*)'|(?<sign>&&|\|\||[<>=!]=|[-+*/<>!?:.,()[\]])/y;
/** @type {Record<string, number>} */
const LEVEL_OF = {
  "||": 1, "&&": 2, "<": 3, "<=": 3, ">": 3, ">=": 3, "==": 3, "!=": 3, in: 3, "+": 4, "-": 4, "*": 5, "/": 5,
};

/**
 * @typedef {import("./tree.js").Node} Node
 * @typedef {import("./tree.js").Literal} Literal
 * @typedef {{kind: string, text: string, at: number}} Token
 */

/** An expression is outside the rule language. */
export class ExpressionRefused extends Error {}

/** @type {Map<string, Node>} */
const trees = new Map();

/**
 * The tree of an expression, remembered since packs ask for the same ones at every keystroke.
 * @param {string} source
 * @returns {Node}
 * @throws {ExpressionRefused}
 */
export function parse(source) {
  let tree = trees.get(source);
  if (!tree) {
    if ([...source].length > MOST_CHARACTERS) {
      throw new ExpressionRefused(`longer than ${MOST_CHARACTERS} characters`);
    }
    const parser = new Parser(tokensOf(source));
    tree = parser.expression();
    parser.expectEnd();
    if (depthOf(tree) > MOST_LEVELS) throw new ExpressionRefused(`more than ${MOST_LEVELS} levels deep`);
    trees.set(source, tree);
  }
  return tree;
}

/**
 * @param {string} source
 * @returns {Token[]}
 */
function tokensOf(source) {
  const tokens = [];
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(source)?.groups;
    if (!groups) throw new ExpressionRefused(whyNot(source[at], at));
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? "";
    const text = groups[kind];
    if (kind === "number" && text.split(".").some((digits) => digits.length > 30)) {
      throw new ExpressionRefused(`a number of more than 30 digits at ${at + 1}`);
    }
    if (kind !== "blank") tokens.push({ kind: text === "in" && kind === "name" ? "sign" : kind, text, at });
  }
  tokens.push({ kind: "end", text: "the end", at: source.length });
  return tokens;
}

/**
 * @param {string} character
 * @param {number} at
 */
function whyNot(character, at) {
  if (character === "%") return `% is not in the language, at ${at + 1}`;
  if (character === "=") return `= at ${at + 1}: write == to compare`;
  if (character === "'") return `the text at ${at + 1} does not end, or holds a backslash`;
  return `'${character}' at ${at + 1} is not in the language`;
}

/** Recursive descent over the tokens; its life is one call of parse(). */
class Parser {
  /** @param {Token[]} tokens */
  constructor(tokens) {
    this.tokens = tokens;
    this.at = 0;
    this.level = 0;
  }

  get next() {
    return this.tokens[this.at];
  }

  /** @param {string} sign */
  take(sign) {
    const found = this.next.kind === "sign" && this.next.text === sign;
    if (found) this.at += 1;
    return found;
  }

  /** @param {string} sign */
  expect(sign) {
    if (!this.take(sign)) {
      throw new ExpressionRefused(`${sign} expected at ${this.next.at + 1}, found ${this.next.text}`);
    }
  }

  expectEnd() {
    if (this.next.kind !== "end") {
      throw new ExpressionRefused(`${this.next.text} not expected at ${this.next.at + 1}`);
    }
  }

  deeper() {
    this.level += 1;
    if (this.level > MOST_LEVELS) throw new ExpressionRefused(`more than ${MOST_LEVELS} levels deep`);
  }

  /** @returns {Node} */
  expression() {
    this.deeper();
    let tree = this.binary(1);
    if (this.take("?")) {
      const then = this.binary(1);
      this.expect(":");
      tree = { kind: "choose", condition: tree, then, otherwise: this.expression() };
    }
    this.level -= 1;
    return tree;
  }

  /**
   * Operators that bind at least as strongly as `lowest`, by precedence climbing.
   * @param {number} lowest
   * @returns {Node}
   */
  binary(lowest) {
    let left = this.unary();
    while (this.next.kind === "sign" && (LEVEL_OF[this.next.text] ?? 0) >= lowest) {
      const sign = this.next.text;
      this.at += 1;
      const right = this.binary(LEVEL_OF[sign] + 1);
      if (sign === "&&" || sign === "||") {
        const parts = left.kind === "logic" && left.sign === sign ? left.parts : [left];
        left = { kind: "logic", sign, parts: [...parts, right] };
      } else {
        left = { kind: "binary", sign, left, right };
      }
    }
    return left;
  }

  /** @returns {Node} */
  unary() {
    for (const sign of ["!", "-"]) {
      if (!this.take(sign)) continue;
      if (sign === "-" && this.next.kind === "number") return this.members(this.literal(sign));
      this.deeper();
      const operand = this.unary();
      this.level -= 1;
      return { kind: sign === "!" ? "not" : "negate", operand };
    }
    return this.members(this.primary());
  }

  /**
   * @param {string} [sign]
   * @returns {Literal}
   */
  literal(sign = "") {
    const value = /** @type {import("./quantities.js").Fraction} */ (readNumber(sign + this.next.text));
    this.at += 1;
    return { kind: "literal", value };
  }

  /** @returns {Node} */
  primary() {
    const token = this.next;
    if (token.kind === "number") return this.literal();
    if (token.kind === "text") {
      this.at += 1;
      return { kind: "literal", value: token.text };
    }
    if (token.kind === "name") {
      this.at += 1;
      if (token.text === "true" || token.text === "false") return { kind: "literal", value: token.text === "true" };
      refuseWord(token);
      return this.take("(") ? this.call(token, []) : { kind: "name", name: token.text };
    }
    if (this.take("(")) {
      const inner = this.expression();
      this.expect(")");
      return inner;
    }
    if (this.take("[")) return { kind: "list", items: this.sequence("]") };
    throw new ExpressionRefused(`${token.text} not expected at ${token.at + 1}`);
  }

  /**
   * @param {Node} tree
   * @returns {Node}
   */
  members(tree) {
    for (;;) {
      if (this.next.kind === "sign" && this.next.text === "[") {
        throw new ExpressionRefused(`indexing at ${this.next.at + 1} is not in the language`);
      }
      if (!this.take(".")) return tree;
      const token = this.next;
      if (token.kind !== "name") throw new ExpressionRefused(`a field name expected at ${token.at + 1}`);
      refuseWord(token);
      this.at += 1;
      tree = this.take("(") ? this.call(token, [tree]) : { kind: "select", record: tree, field: token.text };
    }
  }

  /**
   * @param {Token} token
   * @param {Node[]} target
   * @returns {Node}
   */
  call(token, target) {
    if (token.text === "has") {
      throw new ExpressionRefused("has() is not in the language: a missing answer must stay unknown");
    }
    const given = this.sequence(")");
    if (target.length && MACROS.has(token.text)) {
      if (given.length !== 2 || given[0].kind !== "name") {
        throw new ExpressionRefused(`${token.text} needs a name and an expression`);
      }
      return { kind: "macro", macro: token.text, rows: target[0], name: given[0].name, body: given[1] };
    }
    return { kind: "call", function: token.text, arguments: [...target, ...given], isMethod: target.length > 0 };
  }

  /**
   * @param {string} end
   * @returns {Node[]}
   */
  sequence(end) {
    if (this.take(end)) return [];
    const items = [this.expression()];
    while (this.take(",")) items.push(this.expression());
    this.expect(end);
    return items;
  }
}

/** @param {Token} token */
function refuseWord(token) {
  if (token.text === "null") {
    throw new ExpressionRefused("null is not in the language: a missing answer is already unknown");
  }
  if (RESERVED.has(token.text)) throw new ExpressionRefused(`${token.text} at ${token.at + 1} is a reserved word`);
}
