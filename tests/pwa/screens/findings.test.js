import assert from "node:assert/strict";
import { test } from "node:test";

import { changes, counts, place, rulerOf, sorted, spoken, stopOrder, worst } from "../../../inspect_app/static/pwa/screens/findings.js";

const finding = (rule, outcome, more = {}) => ({ rule, outcome, reads: [], missing: [], failed: [], figure: null, message: null, ...more });
const JOINT = finding("BV-TAP-04", "violation", { figure: "5.5 in ≤ 6 in", reads: ["basis", "joint_distance_down", "joint_distance_up"], failed: [{ check: 0, row: null, outcome: "violation", fields: ["basis", "joint_distance_down", "joint_distance_up"] }] });
const FIELDS = ["joint_distance_up", "joint_distance_down", "basis", "other_lateral_distance"];
const values = (given) => (field) => given[field] ?? "";
const spots = (found, given) => Object.fromEntries(Object.entries(place(found, FIELDS, values(given)).beside).map(([field, list]) => [field, list.map((f) => f.rule)]));

test("a card stands at the number that its figure shows", () => {
  assert.deepEqual(spots([JOINT], { joint_distance_up: "96 in", joint_distance_down: "5.5 in", basis: "edge" }), { joint_distance_down: ["BV-TAP-04"] });
  assert.deepEqual(spots([JOINT], { joint_distance_up: "5.5 in", joint_distance_down: "40 in", basis: "edge" }), { joint_distance_up: ["BV-TAP-04"] });
});

test("a figure that no field shows, such as half an opening less, stands at the last field that was read", () => {
  const centre = { ...JOINT, figure: "5.75 in ≤ 6 in" };
  assert.deepEqual(spots([centre], { joint_distance_up: "96 in", joint_distance_down: "8 in", basis: "centre" }), { basis: ["BV-TAP-04"] });
});

test("a pass is one line at the last field it read, and is not beside an empty field", () => {
  const pass = finding("BV-TAP-05", "pass", { figure: "31 in > 24 in", reads: ["basis", "other_lateral_distance"] });
  assert.deepEqual(spots([pass], { basis: "edge", other_lateral_distance: "31 in" }), { other_lateral_distance: ["BV-TAP-05"] });
  assert.deepEqual(place([pass], FIELDS, values({})).rest.map((f) => f.rule), ["BV-TAP-05"]);
});

test("what waits for an answer and what does not apply stand apart from the fields", () => {
  const open = finding("BV-TAP-05", "not_evaluated", { missing: ["other_lateral_distance"] });
  const none = finding("BV-EXC-04", "not_applicable", { reads: ["basis"], reason: "private yard" });
  const { beside, rest } = place([open, none], FIELDS, values({ basis: "edge" }));
  assert.deepEqual([beside, rest.map((f) => f.rule)], [{}, ["BV-TAP-05", "BV-EXC-04"]]);
});

test("a finding about other fields is not of this section", () => {
  assert.deepEqual(place([finding("BV-LIC-01", "violation", { reads: ["license_expiry"] })], FIELDS, values({})), { beside: {}, rest: [] });
});

test("a row of a list is about its list", () => {
  const lift = finding("ST-07", "violation", { figure: "7 in > 6 in", failed: [{ check: 0, row: 2, outcome: "violation", fields: ["lifts[1].depth"] }] });
  assert.deepEqual(Object.keys(place([lift], ["lifts"], values({ lifts: "2" })).beside), ["lifts"]);
});

test("the worst stands first and a decision outranks what is not evaluated", () => {
  const list = ["pass", "not_applicable", "not_evaluated", "discretion", "warning", "violation", "information"].map((o, n) => finding(String(n), o));
  assert.deepEqual(sorted(list).map((f) => f.outcome), ["violation", "warning", "discretion", "not_evaluated", "information", "pass", "not_applicable"]);
  assert.equal(worst(list), "violation");
  assert.equal(worst([]), null);
  assert.equal(counts(list).warning, 1);
});

test("the ruler hatches the side that the ordinance forbids", () => {
  assert.deepEqual(rulerOf(JOINT), { value: 5.5, limit: 6, unit: "in", bad: "below" });
  assert.deepEqual(rulerOf(finding("x", "violation", { figure: "9.25 in > 9 in" })), { value: 9.25, limit: 9, unit: "in", bad: "above" });
  assert.deepEqual(rulerOf(finding("x", "pass", { figure: "31 in > 24 in" })), { value: 31, limit: 24, unit: "in", bad: "below" });
  assert.deepEqual(rulerOf(finding("x", "violation", { figure: "120° > 90°" })), { value: 120, limit: 90, unit: "°", bad: "above" });
  assert.equal(rulerOf(finding("x", "pass", { figure: "10:20 before 11:30" })), null);
  assert.equal(rulerOf(finding("x", "pass")), null);
});

test("a screen reader hears changed outcomes, worst first, with signs as words", () => {
  const words = { violation: "Violation", pass: "Pass" };
  assert.equal(spoken("5.5 in ≤ 6 in"), "5.5 in is not more than 6 in");
  assert.equal(changes([], [JOINT], words), "Violation. 5.5 in is not more than 6 in.");
  assert.equal(changes([JOINT], [JOINT], words), "");
  assert.equal(changes([JOINT], [{ ...JOINT, outcome: "pass", figure: "7 in > 6 in" }], words), "Pass. 7 in is more than 6 in.");
  assert.equal(changes([], [finding("x", "not_evaluated")], words), "");
});

test("only a violation on a reading of the air sends everyone out", () => {
  const gas = finding("HG-CMH-02", "violation", { failed: [{ check: 0, row: 1, outcome: "violation", fields: ["gas[0].h2s"] }] });
  assert.equal(stopOrder([JOINT, gas]).rule, "HG-CMH-02");
  assert.equal(stopOrder([JOINT]), null);
  assert.equal(stopOrder([{ ...gas, outcome: "warning" }]), null);
});
