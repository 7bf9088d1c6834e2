import assert from "node:assert/strict";
import { test } from "node:test";

import { evaluate, readPack, settingsOn } from "../../../inspect_app/static/pwa/rules/rules.js";

const length = { type: "measure", unit: "in", accept: "length" };
const pack = readPack(
  JSON.stringify({
    village: "barneveld",
    version: "1",
    units: { length: { accept: ["in", "cm"], factor: { in: "1", cm: "50/127" } } },
    fields: {
      joint: length,
      location_type: { type: "choice", choices: ["street", "private"] },
      lifts: { type: "list", of: { depth: length } },
      inclusive: { type: "bool", default: true },
    },
    settings: [{ from: "2026-01-01", values: { inclusive: false } }],
    rules: [
      {
        id: "T-01",
        title: "Tap not within six inches of a joint",
        clause: { section: "270-22" },
        in_force_from: "2001-06-04",
        kinds: ["tap"],
        body: "public_works_committee",
        modal: "should",
        severity: "violation",
        when: [{ expr: "location_type == 'street'", reason: "This clause is about streets." }],
        checks: [
          {
            expr: "inclusive ? joint > 6.0 : joint >= 6.0",
            at_limit: "joint == 6.0",
            figure: { value: "joint", limit: "6.0", unit: "in", good: ">", of: ["joint"] },
            message: "The tap is {joint} in from the joint. It must be more than 6 in.",
          },
        ],
        passes: "More than 6 in from the nearest joint.",
      },
      {
        id: "T-02",
        title: "Lifts",
        clause: { section: "270-21" },
        in_force_from: "2001-06-04",
        kinds: ["tap"],
        body: "public_works_committee",
        modal: "shall",
        severity: "warning",
        each: "lifts",
        checks: [{ expr: "item.depth <= 9.0", message: "Layer {row} is {item.depth} in." }],
      },
      {
        id: "T-03",
        title: "Both",
        clause: { section: "270" },
        in_force_from: "2001-06-04",
        kinds: ["tap"],
        body: "public_works_committee",
        modal: "shall",
        severity: "warning",
        combine: ["T-01", "T-02"],
      },
    ],
  }),
);
const judge = (answers, on = "2025-06-18") => evaluate(pack, { kind: "tap", answers, context: {}, on });
const inches = (value, unit = "in") => ({ value, unit });

test("a tap too near is a violation with its figure, as it was typed", () => {
  const [finding, , both] = judge({ location_type: "street", joint: inches("15.0", "cm") });
  assert.equal(finding.outcome, "violation");
  assert.equal(finding.figure, "15.0 cm = 5.906 in ≤ 6 in");
  assert.equal(finding.message, "The tap is 5.906 in from the joint. It must be more than 6 in.");
  assert.deepEqual(finding.reads, ["inclusive", "joint", "location_type"]);
  assert.equal(both.outcome, "violation");
});

test("on the limit the village's setting of the day decides", () => {
  const answers = { location_type: "street", joint: inches("6") };
  assert.deepEqual([judge(answers)[0].outcome, judge(answers)[0].boundary], ["violation", true]);
  assert.deepEqual([judge(answers, "2026-06-18")[0].outcome, judge(answers, "2026-06-18")[0].boundary], ["pass", true]);
  assert.equal(settingsOn(pack, null).inclusive, false);
});

test("a missing reading is not evaluated, and a yard is not applicable", () => {
  assert.deepEqual(judge({ location_type: "street" })[0].missing, ["joint"]);
  assert.equal(judge({ location_type: "private" })[0].reason, "This clause is about streets.");
});

test("each row is checked and named", () => {
  const [, finding] = judge({ lifts: [{ depth: inches("9") }, {}, { depth: inches("9 1/8") }] });
  assert.equal(finding.message, "Layer 3 is 9.125 in.");
  assert.deepEqual(finding.missing, ["lifts[1].depth"]);
  assert.equal(finding.outcome, "not_evaluated");
});

test("a member that an object only inherits is no answer", () => {
  const [finding] = judge(JSON.parse('{"location_type": "street", "__proto__": {"joint": {"value": "9", "unit": "in"}}}'));
  assert.deepEqual(finding.missing, ["joint"]);
});

const clause = { section: "270" };
const office = readPack({
  ...pack.data,
  rules: [
    { id: "T-05", title: "Both", clause, in_force_from: "2001-06-04", kinds: ["office"], body: "clerk", modal: "shall",
      severity: "warning", checks: [{ expr: "joint > 6.0", message: "{value} in." }], value: "joint * 2.0" },
    { id: "T-06", title: "Elsewhere", clause, in_force_from: "2001-06-04", kinds: ["tap"], body: "clerk",
      modal: "shall", severity: "warning", status: "workflow" },
  ],
});

test("office rules are judged beside the visit when asked, workflow rules never", () => {
  const visit = { kind: "tap", answers: { joint: inches("6") }, on: "2025-06-18" };
  assert.deepEqual(evaluate(office, visit), []);
  const [finding, ...others] = evaluate(office, { ...visit, beside: true });
  assert.deepEqual([finding.rule, finding.outcome, finding.value, finding.message], ["T-05", "warning", "12", "12 in."]);
  assert.deepEqual(others, []);
});
