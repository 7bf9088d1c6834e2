import assert from "node:assert/strict";
import { test } from "node:test";

import * as calendar from "../../../inspect_app/static/pwa/rules/calendar.js";
import { sunContext, sunTimes } from "../../../inspect_app/static/pwa/rules/night.js";

const CHICAGO = "America/Chicago";

test("a day that does not exist is no day", () => {
  for (const typed of ["2026-02-30", "2026-13-01", "0000-01-01", "2026-2-3"]) assert.equal(calendar.dayNumber(typed), null);
  assert.equal(calendar.dayNumber("1970-01-01"), 0);
  assert.equal(calendar.dayText(calendar.dayNumber("0099-12-31")), "0099-12-31");
});

test("an instant needs an offset, and its day is the village's", () => {
  assert.equal(calendar.instant("2026-06-18T13:10:00"), null);
  assert.equal(calendar.instant("2026-06-18T13:10:00-05:00").top, 1781806200n);
  const late = calendar.instant("2026-06-19T03:30:00Z");
  assert.equal(calendar.dayText(calendar.localDay(late, CHICAGO)), "2026-06-18");
  assert.equal(calendar.localTimeText(late, CHICAGO), "22:30");
  assert.throws(() => calendar.localDay(late, "Mars/Base"), /no time zone is named Mars\/Base/);
});

test("a clock position is minutes from the crown", () => {
  assert.equal(calendar.clockMinutes("12:00"), 0);
  assert.equal(calendar.clockMinutes("3:00"), 180);
  assert.equal(calendar.clockMinutes("13:00"), null);
  assert.equal(calendar.clockText(30), "12:30");
});

test("business days skip weekends and holidays", () => {
  const thursday = BigInt(calendar.dayNumber("2026-07-02"));
  const second = calendar.businessDayAfter(thursday, 2n, new Set([thursday + 1n]));
  assert.equal(calendar.dayText(Number(second)), "2026-07-07");
});

const TABLE = [
  [43.0155, -89.8954, "2026-01-20", "07:25", "16:57", "17:28"],
  [43.0155, -89.8954, "2026-03-08", "07:24", "18:58", "19:26"],
  [43.0155, -89.8954, "2026-06-21", "05:20", "20:42", "21:18"],
  [43.0155, -89.8954, "2026-11-01", "06:34", "16:51", "17:21"],
  [43.0155, -89.8954, "2026-12-21", "07:28", "16:28", "17:00"],
  [43.8339, -87.8201, "2026-01-20", "07:19", "16:46", "17:18"],
  [43.8339, -87.8201, "2026-06-21", "05:09", "20:37", "21:13"],
];

test("sunset meets the table of the ordinance reading within three minutes", () => {
  const minutes = (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  for (const [lat, lon, day, ...expected] of TABLE) {
    const times = sunTimes(lat, lon, day, CHICAGO);
    const found = [times.sunrise, times.sunset, times.civil_dusk];
    for (const [index, instant] of found.entries()) {
      const shown = calendar.localTimeText(calendar.instant(instant), CHICAGO);
      assert.ok(Math.abs(minutes(shown) - minutes(expected[index])) <= 3, `${day}: ${shown}, ${expected[index]}`);
    }
  }
});

test("under the civil definition the context holds dusk, and where the sun stays up nothing", () => {
  const times = sunTimes(43.0155, -89.8954, "2026-01-20", CHICAGO);
  assert.equal(sunContext(43.0155, -89.8954, "2026-01-20", CHICAGO, "civil").sunset_calc, times.civil_dusk);
  assert.equal(sunTimes(69.6, 18.9, "2026-06-21", "Europe/Oslo").sunset, null);
});
