import assert from "node:assert/strict";
import { test } from "node:test";

import { houseLayout, nearest, nextId, placeOf, turned, withPlace } from "../../../inspect_app/static/pwa/drawings/house_layout.js";
import { NEXT_GUARD, NEXT_LAMP } from "../../../inspect_app/static/pwa/drawings/parts.js";
import { leastLine, profileLayout } from "../../../inspect_app/static/pwa/drawings/profile_layout.js";
import * as spoken from "../../../inspect_app/static/pwa/drawings/spoken.js";
import { guardWrites, lampWrites, sidesOf } from "../../../inspect_app/static/pwa/screens/sides.js";
import { sunset } from "../../../inspect_app/static/pwa/screens/sunset.js";

const written = (answers, writes) => {
  const next = { ...answers, ...Object.fromEntries(writes.map(({ name, value }) => [name, value])) };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null));
};

test("a side goes from not checked to barricade, to none, and back", () => {
  let answers = {};
  const states = [];
  for (let press = 0; press < 3; press += 1) {
    answers = written(answers, guardWrites(answers, "north", NEXT_GUARD[sidesOf(answers).north.guard]));
    states.push([sidesOf(answers).north.guard, answers]);
  }
  assert.deepEqual(states, [["barricade", { barricades_sides: ["north"] }], ["none", { barricades_open_sides: ["north"] }], ["unknown", {}]]);
});

test("sides stand in one order whatever is pressed first", () => {
  const one = written({}, guardWrites({}, "west", "barricade"));
  assert.deepEqual(written(one, guardWrites(one, "north", "barricade")).barricades_sides, ["north", "west"]);
});

test("four bare sides are the answer none, and one that stands after all asks for its kind again", () => {
  let answers = {};
  for (const side of ["north", "east", "south", "west"]) answers = written(answers, guardWrites(answers, side, "none"));
  assert.equal(answers.barricades_type, "none");
  answers = written(answers, guardWrites(answers, "east", "unknown"));
  assert.deepEqual(answers, { barricades_sides: ["east"], barricades_open_sides: ["north", "south", "west"] });
});

test("a kind that was told is not overwritten by four bare sides", () => {
  let answers = { barricades_type: "type_iii" };
  for (const side of ["north", "east", "south", "west"]) answers = written(answers, guardWrites(answers, side, "none"));
  assert.equal(answers.barricades_type, "type_iii");
});

test("lamps say how many there are and whether all are lit", () => {
  let answers = {};
  const press = (side) => { answers = written(answers, lampWrites(answers, side, NEXT_LAMP[sidesOf(answers)[side].lamp])); };
  assert.equal(sidesOf(answers).north.lamp, "unknown");
  press("north");
  press("east");
  assert.deepEqual([answers.lights_lit, answers.lights_count, sidesOf(answers).south.lamp], ["yes", "2", "none"]);
  press("east");
  assert.deepEqual([answers.lights_lit, answers.lights_unlit_sides], ["no", ["east"]]);
  press("east");
  press("north");
  press("north");
  assert.deepEqual(answers, {});
});

test("a number of lights that a person typed stays", () => {
  assert.equal(written({ lights_count: "6" }, lampWrites({ lights_count: "6" }, "north", "lit")).lights_count, "6");
});

test("no lights at all says it of four sides", () => {
  assert.equal(sidesOf({ lights_type: "none" }).west.lamp, "none");
  assert.deepEqual(written({ lights_type: "none" }, lampWrites({ lights_type: "none" }, "west", "lit")),
    { lights_lit_sides: ["west"], lights_lit: "yes", lights_count: "1" });
});

test("the excavation is told side by side", () => {
  assert.equal(spoken.opening({ sides: sidesOf({ barricades_sides: ["north"], barricades_open_sides: ["east"], lights_lit_sides: ["north"], lights_unlit_sides: ["east"] }),
    depth: "5.5 ft", protection: "Sloped", sun: { night: false, text: "Sunset 20:42, in 3 h 18 min" } }),
  "Opening from above, north up. North: barricade, light lit. East: no barricade, light not lit. South: not checked, no light. West: not checked, no light. "
    + "Deepest point 5.5 ft. Cave-in protection: sloped. Sunset 20:42, in 3 h 18 min.");
});

const barneveld = { village_latitude: "43.0155", village_longitude: "-89.8957", sunset_definition: "sunset" };
const sunAt = (at, context = barneveld) => sunset({ answers: {}, context, now: new Date(at), timezone: "America/Chicago" });

test("the sun is counted down to, and from its limit on it is night", () => {
  assert.match(sunAt("2026-06-18T17:24:00-05:00").text, /^Sunset 20:4\d, in 3 h 1\d min$/);
  assert.match(sunAt("2026-06-18T20:30:00-05:00").text, /^Sunset 20:4\d, in 1\d min$/);
  const after = sunAt("2026-06-18T21:00:00-05:00");
  assert.ok(after.night);
  assert.match(after.text, /^Since 20:4\d$/);
  assert.match(sunAt("2026-06-18T03:00:00-05:00").text, /^Until 05:\d\d$/);
});

test("where night begins half an hour after sunset, sunset alone is not night", () => {
  const context = { ...barneveld, sunset_definition: "half_hour" };
  assert.match(sunAt("2026-06-18T21:00:00-05:00", context).text, /^Sunset 20:4\d, night from 21:1\d, in 1\d min$/);
  assert.ok(sunAt("2026-06-18T21:20:00-05:00", context).night);
});

test("the sun of nowhere is not told", () => {
  assert.equal(sunAt("2026-06-18T21:00:00-05:00", {}), null);
});

const INVERTS = [{ x: 0, y: 1096.42, n: 0 }, { x: 62, y: 1095.13, n: 1 }];
const COVERS = [{ x: 5, depth: 70, least: 42, n: 0 }, { x: 30, depth: 52, least: 60, n: 1 }];

test("the profile exaggerates heights by a whole number that fits the sheet", () => {
  const at = profileLayout(INVERTS, COVERS, 4, { width: 564, height: 340 });
  assert.ok(Number.isInteger(at.times) && at.times >= 1);
  const along = (at.px(62) - at.px(0)) / 62;
  assert.ok(Math.abs((at.py(1095.13) - at.py(1096.42)) / 1.29 - at.times * along) < 0.3);
  assert.ok(at.covers.every((one) => one.ground >= 40));
});

test("cover is measured from the top of the pipe, and its least lies above the ground where it is too thin", () => {
  const at = profileLayout(INVERTS, COVERS, 4, { width: 564, height: 340 });
  assert.ok(at.covers[1].least < at.covers[1].ground && at.covers[0].least > at.covers[0].ground);
  assert.ok(at.covers[0].crown > at.covers[0].ground);
});

test("the least slope runs from the upper end", () => {
  const at = profileLayout(INVERTS, [], 4, { width: 564, height: 340 });
  const line = leastLine(at, INVERTS, 0.125);
  assert.deepEqual([line.from.x, line.from.y], [at.points[0].x, at.points[0].y]);
  assert.ok(line.to.y < at.points[1].y);
});

test("the profile is told point by point", () => {
  assert.equal(spoken.profile({ inverts: INVERTS, covers: COVERS.slice(1), elevations: ["1096.42 ft", "1095.13 ft"], stations: ["0 ft", "62 ft"], depths: ["52 in"],
    outcomes: ["violation"], slopes: [{ text: "0.25 in/ft", bad: false }], least: { text: "0.125 in/ft" } }),
  "Profile of the lateral, from the wall to the main. Invert 1 at station 0 ft, elevation 1096.42 ft. Invert 2 at station 62 ft, elevation 1095.13 ft. "
    + "Run 1 falls 0.25 in/ft. dashed: the least slope, 0.125 in/ft. Cover 2 at station 30 ft, 52 in, violation.");
});

test("a place on the house is read from what a person wrote, and the rest of it stays", () => {
  assert.deepEqual(["NE", "NE, rear", "rear", "north-east corner", "south", "porch, SW", "se ve", "", null].map(placeOf), ["NE", "NE", null, "NE", "S", "SW", null, null, null]);
  assert.deepEqual([withPlace("NE, rear", "E"), withPlace("rear", "W"), withPlace("", "S"), withPlace(null, "N")], ["E, rear", "W, rear", "S", "N"]);
});

test("outlets go round the house and come back", () => {
  assert.deepEqual([turned("N", 1), turned("N", -1), turned("NW", 1), turned(null, 1)], ["NE", "NW", "N", "N"]);
  assert.equal(nextId([{ id: "D1" }, { id: "d3" }]), "D4");
  assert.equal(nextId([]), "D1");
});

test("a drag ends at the nearest wall or corner, and two outlets of one wall stand apart", () => {
  const box = { left: 100, top: 100, right: 400, bottom: 300 };
  assert.deepEqual([nearest(250, 20, box), nearest(420, 310, box), nearest(90, 210, box)], ["N", "SE", "W"]);
  const { outlets } = houseLayout(["N", "N", null, "SE"], box);
  assert.ok(outlets[1].x - outlets[0].x >= 48);
  assert.equal(outlets[2], null);
});

test("the house is told outlet by outlet", () => {
  assert.equal(spoken.house({ outlets: [{ id: "D1", place: "NE", side: "NE", path: "sanitary_indirect", dye: "red", seen: true, result: "Connected", outcome: "violation" },
    { id: "D2", place: null, side: "rear", path: "", dye: "", seen: false, result: "", outcome: null }], open: null, input: null }),
  "Plan of the house, north up. D1, north-east corner, to the sanitary sewer, indirectly, red dye, seen, Connected, violation. D2, rear, not placed, path not known yet.");
});

test("the air is told by depth with its stop lines", () => {
  assert.equal(spoken.gas({ rows: [{ depth: "8 ft", values: { o2: "20.8", lel: "0", h2s: "12", co: "" }, past: new Set(["h2s"]), written: false }],
    stops: { o2: "19.5 to 23.5 %", lel: "", h2s: "stop at 10 ppm", co: "" }, go: null }),
  "Gas by depth below the rim. Oxygen: 19.5 to 23.5 %. H2S: stop at 10 ppm. At 8 ft: Oxygen 20.8; LEL 0; H2S 12, past the stop line; CO –.");
});

test("the stack is told lift by lift, with what is wrong and what lies above the pipe", () => {
  assert.equal(spoken.stack([{ zone: "pipe_zone" }, { zone: "above" }], [7, 9], 52, ["violation", "pass"], true),
    "Stack of lifts from the pipe up: 7 in pipe zone, violation, 9 in above. 16 of 52 inches are filled. A tracer wire lies above the pipe.");
});
