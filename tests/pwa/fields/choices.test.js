import assert from "node:assert/strict";
import { test } from "node:test";

import { toggled } from "../../../inspect_app/static/pwa/fields/picks.js";
import { stepped } from "../../../inspect_app/static/pwa/fields/reading.js";
import { described } from "../../../inspect_app/static/pwa/fields/rows.js";
import { choicesOf, inputId, isLong, rowFields, unitsOf } from "../../../inspect_app/static/pwa/fields/spec.js";

const SIDES = ["north", "east", "south", "west", "none"];

test("none cannot stand beside another choice", () => {
  assert.deepEqual(toggled(["north"], "none", SIDES), ["none"]);
  assert.deepEqual(toggled(["none"], "west", SIDES), ["west"]);
  assert.deepEqual(toggled(["none"], "none", SIDES), []);
});

test("what is chosen stands in the order of the form", () => {
  assert.deepEqual(toggled(["west"], "north", SIDES), ["north", "west"]);
  assert.deepEqual(toggled(["north", "west"], "north", SIDES), ["west"]);
});

test("a choice without a label of its own is shown by its slug", () => {
  assert.deepEqual(choicesOf({ choices: ["five_ft_out"] }), [["five_ft_out", "Five ft out"]]);
  assert.deepEqual(choicesOf({ choices: ["street"], choice_labels: { street: "Street" } }), [["street", "Street"]]);
});

test("a reading's unit follows the parameter of its row", () => {
  const field = { unit: "by_param", units: { ph: ["ph"], temperature: ["degF", "degC"] } };
  assert.deepEqual(unitsOf(field, { param: "temperature" }), ["degF", "degC"]);
  assert.deepEqual(unitsOf(field, {}), []);
  assert.deepEqual(unitsOf({ unit: "ft", units: ["ft", "m"] }), ["ft", "m"]);
});

test("rows and fields have ids that a test and a label can name", () => {
  assert.equal(inputId("clock"), "field-clock");
  assert.equal(inputId("depth", "lifts", 5), "field-lifts-5-depth");
});

test("a row is told by its first choice and its first reading", () => {
  const list = { row: [{ field: "zone", type: "choice", label: "Where", choices: ["pipe_zone"], choice_labels: { pipe_zone: "Pipe zone" } }, { field: "depth", type: "measure", label: "Depth", unit: "in" }, { field: "compacted", type: "bool3", label: "Compacted afterwards" }] };
  assert.equal(rowFields(list).length, 3);
  assert.deepEqual(described(list, { zone: "pipe_zone", depth: { value: "6 1/2", unit: "in" }, compacted: "yes" }, "America/Chicago"),
    { name: "Pipe zone", rest: "compacted afterwards", main: { value: "6 1/2", unit: "in" } });
  assert.equal(described(list, { compacted: "no" }, "America/Chicago").rest, "compacted afterwards: no");
});

test("of several readings in one row each says what it is", () => {
  const percent = { type: "measure", unit: "pct" };
  const list = { row: [{ field: "depth", label: "Depth below the rim", type: "measure", unit: "ft" },
    { field: "o2", label: "Oxygen", ...percent }, { field: "lel", label: "Combustible", ...percent },
    { field: "meter_id", label: "Meter", type: "text" }] };
  const row = { depth: { value: "8", unit: "ft" }, o2: { value: "20.7", unit: "pct" }, lel: { value: "0", unit: "pct" }, meter_id: "G4-1" };
  assert.deepEqual(described(list, row, "America/Chicago"),
    { name: "", rest: "oxygen 20.7 %, combustible 0 %, G4-1", main: { value: "8", unit: "ft" } });
});

test("the step buttons of the clock begin at the crown", () => {
  assert.equal(stepped(null, 30), "12:00");
  assert.equal(stepped("12:00", -30), "11:30");
  assert.equal(stepped("half past", 30), "12:00");
});

test("notes and reasons are written in a larger box", () => {
  assert.equal(isLong({ field: "refused_reason" }), true);
  assert.equal(isLong({ field: "permit_no" }), false);
});
