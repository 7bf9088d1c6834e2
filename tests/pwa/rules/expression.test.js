import assert from "node:assert/strict";
import { test } from "node:test";

import { evaluate, parse, Scope } from "../../../inspect_app/static/pwa/rules/expression.js";
import { whole } from "../../../inspect_app/static/pwa/rules/quantities.js";
import { Row } from "../../../inspect_app/static/pwa/rules/values.js";

const answers = new Map(
  Object.entries({
    six: whole(6),
    yes: true,
    no: false,
    cone: "🚧",
    lifts: [new Row("lifts[0]", new Map([["depth", whole(9)]]), 1), new Row("lifts[1]", new Map(), 2)],
  }),
);
const ask = (expr, lets = {}) =>
  evaluate(parse(expr), new Scope(answers, new Map(Object.entries(lets).map(([name, source]) => [name, parse(source)]))));

test("numbers are exact", () => {
  assert.equal(ask("8.3 - 4.6 / 2.0 == 6.0").value, true);
  assert.equal(ask("six > 6.0").value, false);
});

test("text is counted and ordered by whole characters", () => {
  assert.equal(ask("size(cone) == 1").value, true);
  assert.equal(ask("cone > '￮'").value, true);
});

test("a missing answer makes it unknown and is named, unless another answer decides", () => {
  assert.deepEqual(ask("lifts.all(l, l.depth <= 9.0)").missing, new Set(["lifts[1].depth"]));
  assert.deepEqual(ask("gone + lost > 6.0").missing, new Set(["gone", "lost"]));
  assert.equal(ask("no && gone").value, false);
  assert.equal(ask("gone || yes").value, true);
});

test("an error is no value, and outranks what is missing", () => {
  assert.equal(ask("gone > six / 0.0").error, "division by zero");
  assert.equal(ask("six && yes").error, "yes or no is not defined for number");
});

test("a let is lazy, passes on what it reads, and may not go in circles", () => {
  assert.equal(ask("no && bad > 1.0", { bad: "six / 0.0" }).value, false);
  assert.deepEqual(ask("near > 1.0", { near: "six + 1.0" }).reads, new Set(["six"]));
  assert.equal(ask("a", { a: "b", b: "a" }).error, "a is defined by itself");
});

test("what is outside the language is refused", () => {
  const deep = `${"(".repeat(51)}six${")".repeat(51)}`;
  for (const expr of ["has(a.b)", "a == null", "a[0]", "a % 2", "a = b", "'it\\'s'", '"a"', "if", "", deep, " ".repeat(2001)]) {
    assert.throws(() => parse(expr), { name: "Error" }, expr);
  }
});
