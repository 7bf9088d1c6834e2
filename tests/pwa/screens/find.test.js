import assert from "node:assert/strict";
import { test } from "node:test";

import { far, metresBetween, spotOf } from "../../../inspect_app/static/pwa/place/distance.js";
import { found, indexed } from "../../../inspect_app/static/pwa/screens/find.js";
import { byDistance, planned } from "../../../inspect_app/static/pwa/screens/planned.js";

const VISITS = [
  { id: "1", says: ["T-0044", "BV-2026-0044", "MH-112 + 147.3 ft", "MH-112", "Tap check", "Returned for correction"] },
  { id: "2", says: ["L-0042", "BV-2026-0042", "Lot 12 Example Court", null, "Lateral inspection", "Approved"] },
  { id: "3", says: [null, "", "Señora's Bakery, MH-27", "MH-27", "Manhole visit", "Draft"] },
];
const index = indexed(VISITS, ({ says }) => says);
const ids = (/** @type {string} */ asked) => found(index, asked).map(({ id }) => id);

test("a visit is found by number, permit, place, manhole, kind and state, in any mixture and spelling", () => {
  assert.deepEqual(ids("T-0044"), ["1"]);
  assert.deepEqual(ids("0042"), ["2"]);
  assert.deepEqual(ids("mh112"), ["1"]);
  assert.deepEqual(ids("MH-112 returned"), ["1"]);
  assert.deepEqual(ids("lateral approved"), ["2"]);
  assert.deepEqual(ids("senora"), ["3"]);
  assert.deepEqual(ids("mh"), ["1", "3"]);
  assert.deepEqual(ids("  "), ["1", "2", "3"]);
  assert.deepEqual(ids("MH-112 approved"), []);
});

test("10,000 visits are searched within a few milliseconds", () => {
  const many = indexed(Array.from({ length: 10_000 }, (_, n) => n), (n) => [`L-${n}`, `BV-2026-${n}`, `Lot ${n} Example Court`, "Lateral inspection", "Approved"]);
  const began = performance.now();
  assert.equal(found(many, "l-99 approved").length, 111);
  assert.ok(performance.now() - began < 100);
});

test("the nearest assignment comes first, what has no place last in its order, and distances read as people walk", () => {
  const from = { lat: 43.0155, lon: -89.8957 };
  const jobs = planned([
    { id: "far", due_at: "2026-06-03T10:00:00Z", latitude: 43.03, longitude: -89.89 },
    { id: "nowhere", due_at: "2026-06-03T11:00:00Z", latitude: null, longitude: null },
    { id: "near", due_at: "2026-06-03T12:00:00Z", latitude: 43.01548, longitude: -89.89507 },
    { id: "begun", record_id: "r", due_at: "2026-06-03T09:00:00Z" },
    { id: "whenever", due_at: null, latitude: undefined },
  ]);
  assert.deepEqual(jobs.map(({ id }) => id), ["far", "nowhere", "near", "whenever"]);
  assert.deepEqual(byDistance(jobs, from).map(({ id }) => id), ["near", "far", "nowhere", "whenever"]);
  assert.equal(spotOf({ latitude: 0, longitude: 0 })?.lat, 0);
  assert.equal(far(metresBetween(from, { lat: 43.01548, lon: -89.89507 })), "170 ft");
  assert.equal(far(metresBetween(from, { lat: 43.03, lon: -89.89 })), "1.0 mi");
  assert.equal(far(1), "10 ft");
  assert.equal(far(30_000), "19 mi");
});
