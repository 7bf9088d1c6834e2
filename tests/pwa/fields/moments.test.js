import assert from "node:assert/strict";
import { test } from "node:test";

import { clockText, dayWords, fromWallClock, isDay, wallClock, withOffset } from "../../../inspect_app/static/pwa/fields/moments.js";

const ZONE = "America/Chicago";

test("an instant carries the offset that held in the village on that day", () => {
  assert.equal(withOffset(new Date("2026-06-18T18:10:00Z"), ZONE), "2026-06-18T13:10:00-05:00");
  assert.equal(withOffset(new Date("2026-01-20T23:05:00Z"), ZONE), "2026-01-20T17:05:00-06:00");
  assert.equal(withOffset(new Date("2026-06-18T18:10:07.900Z"), "Asia/Kolkata"), "2026-06-18T23:40:07+05:30");
});

test("a day and a wall-clock time mean one instant", () => {
  assert.equal(fromWallClock("2026-06-18", "13:10", ZONE), "2026-06-18T13:10:00-05:00");
  assert.equal(fromWallClock("2026-04-15", "9:32", ZONE), "2026-04-15T09:32:00-05:00");
  assert.equal(fromWallClock("2026-04-15", "09:25:01", ZONE), "2026-04-15T09:25:01-05:00");
});

test("the civil day is the village's, not Greenwich's", () => {
  assert.equal(wallClock(new Date("2026-06-10T04:50:00Z"), ZONE).day, "2026-06-09");
  assert.equal(fromWallClock("2026-06-09", "23:50", ZONE), "2026-06-09T23:50:00-05:00");
});

test("an hour that exists twice is its first passing, one that does not exist is no answer", () => {
  assert.equal(fromWallClock("2026-11-01", "01:30", ZONE), "2026-11-01T01:30:00-05:00");
  assert.equal(fromWallClock("2026-11-01", "16:52", ZONE), "2026-11-01T16:52:00-06:00");
  assert.equal(fromWallClock("2026-03-08", "02:30", ZONE), null);
});

test("what is no day or no time of day is no instant", () => {
  for (const [day, time] of [["2026-02-30", "13:10"], ["", "13:10"], ["2026-06-18", "24:00"], ["2026-06-18", "13.10"], ["2026-06-18", ""]]) {
    assert.equal(fromWallClock(day, time, ZONE), null, `${day} ${time}`);
  }
  assert.equal(isDay("2026-02-29"), false);
  assert.equal(isDay("2028-02-29"), true);
});

test("a time is shown as 13:10, with seconds where they are asked for, and as nothing where it is unreadable", () => {
  assert.equal(clockText("2026-06-18T13:10:05-05:00", ZONE), "13:10");
  assert.equal(clockText("2026-06-18T13:10:05-05:00", ZONE, true), "13:10:05");
  assert.equal(clockText("soon", ZONE), "");
  assert.equal(clockText(null, ZONE), "");
});

test("a day is shown with its weekday", () => {
  assert.equal(dayWords("2026-06-18", "en"), "Thursday 18 June");
  assert.equal(dayWords("2026-06-18", "en", "short"), "Thu 18 Jun");
});
