import assert from "node:assert/strict";
import { test } from "node:test";

import { pressed } from "../../../inspect_app/static/pwa/fields/keys.js";

const type = (...keys) => keys.reduce((text, key) => pressed(text, key).text, "");

test("a fraction joins the whole number before it", () => {
  assert.equal(type("5", "1/2"), "5 1/2");
  assert.equal(type("1/4"), "1/4");
  assert.equal(type("1", "2", "1/16"), "12 1/16");
});

test("a second fraction takes the place of the first", () => {
  assert.equal(type("5", "1/2", "1/4"), "5 1/4");
  assert.equal(type("1/2", "1/8"), "1/8");
  assert.equal(pressed("5½", "1/8").text, "5 1/8");
  assert.equal(pressed("5-1/2", "1/8").text, "5 1/8");
});

test("figures and the point go in where the cursor is", () => {
  assert.deepEqual(pressed("55", ".", 1), { text: "5.5", at: 2 });
  assert.deepEqual(pressed("123", "9", 0, 3), { text: "9", at: 1 });
});

test("the erase key takes the sign before the cursor, or what is chosen", () => {
  assert.deepEqual(pressed("5 1/2", "erase"), { text: "5 1/", at: 4 });
  assert.deepEqual(pressed("5.5", "erase", 1, 3), { text: "5", at: 1 });
  assert.deepEqual(pressed("", "erase"), { text: "", at: 0 });
});
