import assert from "node:assert/strict";
import { test } from "node:test";

import { at, minutesAt, planCaption, planLayout, scale, spokenClock, stackLayout, stepOf } from "../../../inspect_app/static/pwa/drawings/geometry.js";

test("a press on the rim is the nearest half hour", () => {
  assert.deepEqual([[0, -90], [90, 0], [0, 90], [-90, 0], [78, 45]].map(([x, y]) => minutesAt(x, y)), [0, 180, 360, 540, 240]);
});

test("the dial puts a position where a press on it reads the same", () => {
  for (let minutes = 0; minutes < 720; minutes += 30) {
    const { x, y } = at(minutes, 90);
    assert.equal(minutesAt(x - 132, y - 132), minutes);
  }
});

test("keys walk the dial: half an hour, an hour, home", () => {
  assert.deepEqual(["ArrowUp", "ArrowLeft", "PageDown", "Home", "a"].map((key) => stepOf(key, 0)), [30, 690, 660, 0, null]);
});

test("the dial says position, angle and half", () => {
  assert.equal(spokenClock("10:30", 630, ""), "10:30, 45 degrees from the crown, in the upper half");
  assert.equal(spokenClock("12:00", 0, ""), "12 o'clock, 0 degrees from the crown, in the upper half");
  assert.equal(spokenClock("4:00", 240, "Violation"), "4 o'clock, 120 degrees from the crown, in the lower half: violation");
  assert.equal(spokenClock("", null, ""), "not given yet");
});

test("the plan is to scale, from the edge or from the centre of the opening", () => {
  const size = { width: 572, x: 386, scale: 6.7 };
  const edge = planLayout({ up: null, down: 5.5, lateral: 31, opening: 4.5, centre: false }, size);
  assert.ok(Math.abs(edge.down.to - (386 + 2.25 * 6.7 + 5.5 * 6.7)) < 0.001);
  const centre = planLayout({ up: 96, down: 8, lateral: null, opening: 4.5, centre: true }, size);
  assert.ok(Math.abs(centre.down.to - (386 + 8 * 6.7)) < 0.001);
  assert.equal(centre.up.far, true);
  assert.equal(centre.lateral, null);
});

test("the plan is told in words with the zones of the findings", () => {
  assert.equal(planCaption({ up: 96, down: 5.5, lateral: null }, { up: "96 in", down: "5.5 in" }, { jointLimit: 6, lateralLimit: null }),
    "Plan of the main to scale. The downstream joint is 5.5 in away, inside the 6 inch zone. The upstream joint is 96 in away, outside the 6 inch zone.");
});

test("a ruler shows reading and limit, also where they lie close together", () => {
  for (const [value, limit] of [[5.5, 6], [6, 6], [150.2, 150], [0.12, 0.125], [14, 0], [412, 400]]) {
    const { from, to, step } = scale(value, limit);
    assert.ok(from <= Math.min(value, limit) && to >= Math.max(value, limit) && step > 0, `${value} ${limit}`);
  }
});

test("lifts stand on the pipe, each as deep as it is, up to grade", () => {
  const { lifts, floor, scale: pixels, filled } = stackLayout([6, 6, 8], { bedding: 4, pipe: 4, cover: 66 });
  assert.equal(filled, 20);
  assert.ok(Math.abs(lifts[0].y + lifts[0].height - floor) < 0.001);
  assert.ok(Math.abs(lifts[2].height - 8 * pixels) < 0.001);
});
