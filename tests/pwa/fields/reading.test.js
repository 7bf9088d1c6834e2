import assert from "node:assert/strict";
import { before, test } from "node:test";

import { beside, clockMinutes, clockOf, degreesFromCrown, message, plain, useUnits } from "../../../inspect_app/static/pwa/fields/reading.js";
import { Units } from "../../../inspect_app/static/pwa/rules/quantities.js";

before(() => useUnits(new Units({
  length: { accept: ["in", "ft", "cm"], factor: { in: "1", ft: "12", cm: "50/127" } },
  temperature: { accept: ["degF", "degC"], factor: { degF: "1", degC: "x * 9/5 + 32" } },
  pressure: { accept: ["psi", "ft_water"], factor: { psi: "1", ft_water: "not converted" } },
})));

test("the plain number stands beside a fraction and not beside a number that is plain already", () => {
  assert.equal(beside({ value: "5 1/2", unit: "in" }, "in"), "= 5.5 in");
  assert.equal(beside({ value: "5½", unit: "in" }, "in"), "= 5.5 in");
  assert.equal(beside({ value: "5.5", unit: "in" }, "in"), "");
  assert.equal(beside({ value: "96.0", unit: "in" }, "in"), "");
});

test("another unit changes the meaning of the text and shows the rule's unit", () => {
  assert.equal(beside({ value: "15.24", unit: "cm" }, "in"), "= 6 in");
  assert.equal(beside({ value: "15.0", unit: "cm" }, "in"), "= 5.906 in");
  assert.equal(beside({ value: "0", unit: "degC" }, "degF"), "= 32 °F");
});

test("units that do not convert stand for themselves", () => {
  assert.equal(beside({ value: "10", unit: "ft_water" }, "psi"), "");
  assert.equal(plain({ value: "10", unit: "ft_water" }), "10 ft water");
});

test("text that cannot be read has a sentence, empty text has none", () => {
  assert.equal(message({ type: "measure" }, { value: "1,5", unit: "in" }), "1,5 can be read two ways. Type 1.5 or 15.");
  assert.equal(message({ type: "measure" }, { value: "", unit: "in" }), "");
  assert.equal(message({ type: "measure" }, null), "");
  assert.notEqual(message({ type: "measure" }, { value: "5'6\"", unit: "ft" }), "");
  assert.notEqual(message({ type: "integer" }, "2.5"), "");
  assert.equal(message({ type: "integer" }, "4"), "");
  assert.notEqual(message({ type: "clock" }, "13:00"), "");
  assert.equal(message({ type: "clock" }, "4:00"), "");
  assert.notEqual(message({ type: "date" }, "2026-02-30"), "");
});

test("a clock position is an angle from the crown on either side", () => {
  assert.deepEqual(["12:00", "3:00", "2:59", "4:00", "6:00", "9:00", "10:30"].map(degreesFromCrown), [0, 90, 89.5, 120, 180, 90, 45]);
  assert.equal(degreesFromCrown("4"), null);
});

test("half hours go round the clock", () => {
  assert.equal(clockOf(-30), "11:30");
  assert.equal(clockOf(720), "12:00");
  assert.equal(clockMinutes("12:30"), 30);
  assert.equal(clockOf(clockMinutes("10:30") + 30), "11:00");
});
