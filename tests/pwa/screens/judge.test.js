import assert from "node:assert/strict";
import { test } from "node:test";

import { contextOf } from "../../../inspect_app/static/pwa/screens/judge.js";

const reference = { village: { slug: "barneveld", latitude: 43.0155, longitude: -89.8954, timezone: "America/Chicago" }, person: { roles: ["reviewer", "inspector"] }, tap_permissions: [{ tapper: "Plumber 2" }] };
const at = (more = {}) => contextOf({ doc: { village: "barneveld", parent_record: null }, answers: {}, reference, assignment: null, now: new Date("2026-01-21T02:00:00Z"), ...more });

test("today is the village's civil day", () => {
  assert.equal(at().today, "2026-01-20");
});

test("the sun is that of the day on which guards and lights were seen, at the site or the village hall", () => {
  const context = at({ answers: { observed_at: "2026-06-18T13:10:00-05:00" } });
  assert.match(context.sunset_calc, /^2026-06-1[89]T/);
  assert.ok(Math.abs(Date.parse(context.sunset_calc) - Date.parse("2026-06-18T20:42:00-05:00")) <= 3 * 60000);
  assert.match(at().sunset_calc, /^2026-01-2[01]T/);
});

test("the clock offset is the tablet less the server", () => {
  assert.equal(at({ clockOffsetMs: -1200000 }).clock_offset_s, 1200);
  assert.equal(at().clock_offset_s, 0);
});

test("the form is judged as what it will be once it is handed in", () => {
  assert.equal(at().record_state, "submitted");
  assert.equal(at().person_role, "inspector");
  assert.equal(at({ assignment: { context: { dwelling: "one_family" } } }).dwelling, "one_family");
});
