import assert from "node:assert/strict";
import { test } from "node:test";

import { clockDoubt } from "../../../inspect_app/static/pwa/screens/clock.js";

const zone = "America/Chicago";
const now = new Date("2026-06-18T18:10:00Z");
const minutes = (n) => n * 60_000;

test("a clock that is right within two minutes, or was never compared, is not spoken of", () => {
  for (const clock_offset_ms of [0, 90_000, -120_000, null]) assert.equal(clockDoubt({ clock_offset_ms, last_full_sync: now.getTime() - minutes(10) }, now, zone), "");
  assert.equal(clockDoubt(null, now, zone), "");
});

test("a clock that is wrong is told before somebody signs, and which way", () => {
  assert.match(clockDoubt({ clock_offset_ms: minutes(16) }, now, zone), /16 minutes behind/);
  assert.match(clockDoubt({ clock_offset_ms: -minutes(21 * 60) }, now, zone), /1260 minutes ahead/);
});

test("a clock that fell back to 1970 is known by the last word from the office", () => {
  const status = { clock_offset_ms: 400, last_full_sync: now.getTime() };
  assert.match(clockDoubt(status, new Date(5000), zone), /The office was last heard of Thursday 18 June 13:10/);
});
