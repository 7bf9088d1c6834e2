import assert from "node:assert/strict";
import { test } from "node:test";

import {
  convert, exactText, formatExact, Fraction, fromJson, readNumber, Units, whole, whyUnreadable,
} from "../../../inspect_app/static/pwa/rules/quantities.js";

const UNITS = new Units({
  length: { accept: ["in", "ft", "cm"], factor: { in: "1", ft: "12", cm: "50/127" } },
  temperature: { accept: ["degF", "degC"], factor: { degF: "1", degC: "x * 9/5 + 32" } },
  concentration: { accept: ["mg/l", "ppm"], factor: { "mg/l": "1", ppm: "1, only where the rule says so" } },
  pressure: { accept: ["psi", "ft_water"], factor: { psi: "1", ft_water: "not converted: psi belongs to air" } },
});

test("an inspector may write five and a half in many ways", () => {
  for (const typed of ["5.5", "5 1/2", "5-1/2", "5½", "5 ½", "11/2", " 5.5 "]) {
    assert.equal(exactText(readNumber(typed)), "5.5", typed);
    assert.equal(whyUnreadable(typed), null);
  }
});

test("what can be read two ways or not at all is refused with a sentence", () => {
  for (const typed of ["1,5", "12.212,12", "٣٫٥", "24.", "5'6\"", "9".repeat(400), "1e3", "5/0", "5 7/2", "abc", "5 in"]) {
    assert.equal(readNumber(typed), null, typed);
    assert.match(whyUnreadable(typed), /\.$/, typed);
  }
  assert.equal(whyUnreadable("1,5"), "1,5 can be read two ways. Type 1.5 or 15.");
  assert.equal(whyUnreadable(" "), null);
});

test("a JSON number is what its shortest text says, and nothing else is a number", () => {
  assert.equal(exactText(fromJson(8.3)), "8.3");
  assert.equal(exactText(fromJson(1e-7)), "0.0000001");
  assert.equal(exactText(fromJson(1e21)), `1${"0".repeat(21)}`);
  for (const value of [true, null, undefined, [], {}, Infinity, NaN, ""]) assert.equal(fromJson(value), null);
});

test("units convert exactly or not at all", () => {
  assert.equal(exactText(convert(readNumber("15.24"), "cm", "in", UNITS)), "6");
  assert.equal(exactText(convert(whole(212), "degF", "degC", UNITS)), "100");
  assert.equal(convert(whole(1), "ppm", "mg/l", UNITS), null);
  assert.equal(convert(whole(1), "psi", "ft_water", UNITS), null);
  assert.equal(exactText(UNITS.read(whole(10), "ft_water", "psi", ["pressure"])), "10");
});

test("numbers are shown exactly within six decimals, else rounded half up to three", () => {
  const shown = { "5.5": [11n, 2n], "0.333": [1n, 3n], "-0.667": [-2n, 3n], "0.015625": [1n, 64n], "0.008": [1n, 128n] };
  for (const [text, parts] of Object.entries(shown)) assert.equal(formatExact(new Fraction(...parts)), text);
  assert.equal(exactText(new Fraction(17n, 3n)), "17/3");
});
