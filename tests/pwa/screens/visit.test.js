import assert from "node:assert/strict";
import { test } from "node:test";

import { Visit } from "../../../inspect_app/static/pwa/screens/visit.js";
import { makeJudge } from "../../../inspect_app/static/pwa/screens/judge.js";
import { FakeServer } from "../sync/server.js";
import { enrolled } from "../store/tablet.js";

/** An open visit on the real store, as app.js opens it. */
async function opened(tablet, id) {
  const now = () => new Date(tablet.clock.at);
  const app = {
    store: tablet.store.inspections, now, timezone: "America/Chicago", prefers: { pad: true }, drawn: 0, render: () => { app.drawn += 1; },
    // The forms of the test server come without rules; what they find is tested elsewhere.
    makeJudge: (of) => makeJudge({ ...of, view: { ...of.view, pack: null }, now, clockOffsetMs: () => 0 }),
  };
  return Visit.open(app, id);
}

async function begun() {
  const tablet = await enrolled(new FakeServer());
  const id = await tablet.begin({ protocol: "tap", place: "Street opening at MH-112" });
  return { tablet, id, visit: await opened(tablet, id) };
}

const settled = async (visit) => { while (visit.pending) await new Promise((resolve) => setTimeout(resolve, 1)); };
const reading = (value) => ({ value, unit: "in" });

test("what is typed is on disk before it is called kept, and another start shows it", async () => {
  const { tablet, id, visit } = await begun();
  visit.set("tap_geometry", "joint_distance_down", reading("5 1/2"));
  assert.equal(visit.keptAt, null);
  await settled(visit);
  assert.deepEqual(visit.keptAt, new Date(tablet.clock.at));
  const again = await opened(await tablet.reopened(), id);
  assert.deepEqual(again.value("tap_geometry", "joint_distance_down"), reading("5 1/2"));
  visit.close();
  again.close();
});

test("a key that falls while the disk is being read again is not lost", async () => {
  const { visit } = await begun();
  visit.set("barricades", "barricades_type", "type_iii");
  await settled(visit);
  const reread = visit.refresh(); // as after a change of another tab, or a sync
  visit.set("barricades", "barricades_count", "4");
  await settled(visit);
  await reread;
  visit.set("barricades", "barricades_sides", ["north"]);
  await settled(visit);
  await visit.refresh();
  assert.deepEqual(visit.values.barricades, { barricades_type: "type_iii", barricades_count: "4", barricades_sides: ["north"] });
  visit.close();
});

test("leaving a group makes one change, and leaving it again makes none", async () => {
  const { tablet, visit } = await begun();
  visit.set("tap_geometry", "joint_distance_down", reading("5"));
  visit.set("tap_geometry", "joint_distance_down", reading("5.5"));
  await settled(visit);
  await visit.leave("tap_geometry");
  await visit.leave("tap_geometry");
  assert.deepEqual((await tablet.ops()).map((op) => op.kind), ["record.create", "group.set"]);
  assert.equal(visit.hasDrafts, false);
  visit.close();
});

test("undo takes back one field, and a run of keys in one field is one step", async () => {
  const { visit } = await begun();
  visit.set("tap_geometry", "basis", "edge", { label: "Measured from", done: true });
  visit.set("tap_geometry", "joint_distance_down", reading("5"), { label: "Joint downstream" });
  visit.set("tap_geometry", "joint_distance_down", reading("5.5"), { label: "Joint downstream" });
  visit.undo();
  assert.deepEqual(visit.values.tap_geometry, { basis: "edge" });
  visit.undo();
  assert.deepEqual(visit.values.tap_geometry, {});
  await settled(visit);
  visit.close();
});

test("a row that is being written counts for the rules and goes nowhere until it is kept", async () => {
  const { tablet, id, visit } = await begun();
  visit.set(".row:gas", "h2s", { value: "12", unit: "ppm" });
  await settled(visit);
  assert.deepEqual(visit.answers.gas, [{ h2s: { value: "12", unit: "ppm" } }]);
  await visit.leaveAll();
  assert.deepEqual((await tablet.ops()).map((op) => op.kind), ["record.create"]);
  const again = await opened(tablet, id);
  assert.deepEqual(again.value(".row:gas", "h2s"), { value: "12", unit: "ppm" });
  visit.close();
  again.close();
});

test("a value that cannot be kept is not called kept, and the reason is shown", async () => {
  const { visit } = await begun();
  const { store } = visit.app;
  visit.app.store = { ...store, draft: () => Promise.reject(new Error("The tablet is full. Free some space, then go on.")) };
  visit.set("tap_geometry", "basis", "edge");
  await settled(visit);
  assert.equal(visit.keptAt, null);
  assert.equal(visit.keepProblem, "The tablet is full. Free some space, then go on.");
  visit.close();
});
