import assert from "node:assert/strict";
import { test } from "node:test";

import { entriesOf, limitsOf, search } from "../../../inspect_app/static/pwa/screens/plain.js";
import { readPack } from "../../../inspect_app/static/pwa/rules/rules.js";

const measure = { type: "measure", unit: "in", accept: ["length"] };
const rule = (id, section, letter, more = {}) => ({ id, title: `Rule ${id}`, clause: { section, letter, heading: "Tapping mains", quote: "not within six inches" }, in_force_from: "2001-06-04",
  kinds: ["tap"], body: "clerk", modal: "shall", severity: "violation", checks: [{ expr: "joint > 6.0", message: "Too near: {joint} in.", figure: { value: "joint", limit: "6.0", unit: "in", good: ">" } }], ...more });
const data = (...rules) => ({ village: "barneveld", version: "1", effective: "2001-06-04", language: "cel-subset/1",
  fields: { joint: measure, near_is_wrong: { type: "bool" } }, units: { length: { accept: ["in"], factor: { in: "1" } } }, settings: [{ from: "2001-06-04", values: { near_is_wrong: false } }], rules });
const limits = (one) => limitsOf(one, readPack(data(one)), "2026-06-18");

test("the rules stand in the order of the law, numbers as numbers, the state's after the village's", () => {
  const entries = entriesOf(data(rule("D", "SPS 382.30", "(1)"), rule("C", "270-22", "C(10)"), rule("B", "270-22", "C(2)"), rule("E", "29 CFR 1926.651", "(c)"), rule("A", "270-9", "A")), "2026-06-18");
  assert.deepEqual(entries.map((one) => one.id), ["A", "B", "C", "D", "E"]);
});

test("two forms under one id are one entry", () => {
  const entries = entriesOf(data(rule("A", "270-9", "A"), rule("A", "270-9", "A", { kinds: ["lateral"] })), "2026-06-18");
  assert.deepEqual(entries.map((one) => one.parts.length), [2]);
});

test("every word that is typed must occur, in id, title, clause or quotation, and a star is no word", () => {
  const entries = entriesOf(data(rule("BV-TAP-04", "270-22", "B"), rule("BV-EXC-04", "270-21", "C", { clause: { section: "270-21", letter: "C", heading: "Excavations", quote: "nine inches in depth" } })), "2026-06-18");
  const found = (text) => search(entries, text).map((one) => one.id);
  assert.deepEqual(found("  270-22* INCHES"), ["BV-TAP-04"]);
  assert.deepEqual(found("exc-04"), ["BV-EXC-04"]);
  assert.deepEqual(found("inches"), ["BV-EXC-04", "BV-TAP-04"]);
  assert.deepEqual(found("270-22 nine"), []);
  assert.equal(found("").length, 2);
});

test("below, on and above the limit are told from the check itself", () => {
  const [limit] = limits(rule("A", "1", "A"));
  assert.deepEqual(limit.examples.map((one) => [one.value, one.outcome]), [["5.9 in", "violation"], ["6 in", "violation"], ["6.1 in", "pass"]]);
  assert.equal(limit.on, "violation");
});

test("a check that a setting switches off has no limit", () => {
  const check = { expr: "joint > 6.0 || !near_is_wrong", message: "Too near.", figure: { value: "joint", limit: "6.0", unit: "in", good: ">" } };
  assert.deepEqual(limits(rule("A", "1", "A", { checks: [check] })), []);
});

test("a limit that hangs on an answer names it and gives both numbers", () => {
  const figure = { value: "joint", limit: "deep ? 60.0 : 42.0", unit: "in", good: ">=" };
  const [limit] = limits(rule("A", "1", "A", { checks: [{ expr: "joint >= (deep ? 60.0 : 42.0)", message: "Too shallow.", figure }] }));
  assert.deepEqual([limit.limits, limit.by, limit.on, limit.examples], [["60 in", "42 in"], ["deep"], "pass", []]);
});
