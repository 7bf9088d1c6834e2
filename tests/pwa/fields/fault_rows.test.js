/** Rows of docs/faults.md about dates and clocks that no other test proves. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { clockText, dayWords, fromWallClock, isDay, wallClock, withOffset } from "../../../inspect_app/static/pwa/fields/moments.js";

const zone = "America/Chicago";

/** Does the work in the time zone of a tablet that travelled. @param {string} tablet @param {() => void} work */
function inZone(tablet, work) {
  const before = process.env.TZ;
  process.env.TZ = tablet;
  try { work(); } finally { process.env.TZ = before ?? ""; if (before === undefined) delete process.env.TZ; }
}

test("a time from before the clocks change is the same after it, on a tablet of any zone", () => {
  const saved = fromWallClock("2025-11-01", "14:00", zone);
  assert.equal(saved, "2025-11-01T14:00:00-05:00");
  for (const tablet of ["America/Chicago", "Pacific/Auckland", "UTC"]) {
    inZone(tablet, () => assert.equal(clockText(saved, zone), "14:00"));
  }
});

test("day and hour of one instant are of one zone: 18:30 in winter is the day before Greenwich's", () => {
  for (const tablet of ["America/Chicago", "Pacific/Auckland"]) {
    inZone(tablet, () => {
      const iso = withOffset(new Date("2026-01-10T00:30:00Z"), zone);
      assert.equal(iso, "2026-01-09T18:30:00-06:00");
      const { day, time } = wallClock(new Date(iso), zone);
      assert.deepEqual([day, time], ["2026-01-09", "18:30"]);
    });
  }
});

test("a day without a time stays the day, thirteen hours east and six hours west", () => {
  for (const tablet of ["Pacific/Tongatapu", "America/Chicago"]) {
    inZone(tablet, () => {
      assert.equal(isDay("2025-03-22"), true);
      assert.equal(dayWords("2025-03-22", "en"), "Saturday 22 March");
    });
  }
});
