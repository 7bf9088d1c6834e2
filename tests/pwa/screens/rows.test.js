import assert from "node:assert/strict";
import { test } from "node:test";

import { rowOutcome } from "../../../inspect_app/static/pwa/screens/rows.js";

const lifts = { rule: "ST-07", outcome: "violation", reads: ["lifts[0].depth", "lifts[1].depth", "lifts[2].zone"], missing: [],
  failed: [{ check: 0, row: 2, outcome: "violation", fields: ["lifts[1].depth"] }] };

test("only the row that failed is marked, the others passed", () => {
  assert.deepEqual([0, 1].map((n) => rowOutcome([lifts], "lifts", n)), ["pass", "violation"]);
});

test("a check of the whole list marks the row whose fields it names", () => {
  const gas = { rule: "HG-CMH-02", outcome: "violation", reads: ["gas[0].h2s", "gas[1].h2s"], missing: ["gas[0].lel"], failed: [{ check: 0, row: null, outcome: "violation", fields: ["gas[0].h2s"] }] };
  assert.equal(rowOutcome([gas], "gas", 0), "violation");
  assert.equal(rowOutcome([gas], "gas", 1), "pass");
});

test("a row with something missing is not evaluated, a row nobody judges has no mark", () => {
  const open = { rule: "ST-07", outcome: "not_evaluated", reads: ["lifts[0].zone"], missing: ["lifts[0].depth"], failed: [] };
  assert.equal(rowOutcome([open], "lifts", 0), "not_evaluated");
  assert.equal(rowOutcome([open], "lifts", 1), null);
});

test("a rule that does not apply leaves its rows hollow", () => {
  assert.equal(rowOutcome([{ rule: "BV-EXC-04", outcome: "not_applicable", reads: ["lifts[0].depth"], missing: [], failed: [] }], "lifts", 0), "not_applicable");
});
