import assert from "node:assert/strict";
import { test } from "node:test";

import { isAnswered, photoSlots, progress, sectionsNow, unanswered, withLists } from "../../../inspect_app/static/pwa/screens/form.js";

const PROTOCOL = {
  sections: [
    { id: "site", title: "Site", groups: [{ group: "barricades", fields: [
      { field: "barricades_type", required: true }, { field: "barricades_count", shown_when: "barricades_type != 'none'", required: true },
      { field: "sheeting", required: false }, { field: "opening_dia", required: "basis == 'centre'" },
    ] }] },
    { id: "photos", title: "Photos", kind: "photos" },
    { id: "signatures", title: "Signatures", kind: "signatures" },
  ],
  photos: [
    { shows: "barricade_side", proves: "sides.north", label: "North", required: true }, { shows: "barricade_side", proves: "sides.south", label: "South", required: true },
    { shows: "lights", proves: "lights_lit", label: "Lights", shown_when: "lights", required: false },
  ],
  signatures: [{ field: "signature_inspector", required: true }, { field: "signature_installer", required: false }],
};
const known = (truths) => (expression) => truths[expression] ?? null;
const shown = (sections) => sections[0].groups[0].fields.map((f) => f.field);

test("a field with a condition appears when the condition is known to hold", () => {
  assert.deepEqual(shown(sectionsNow(PROTOCOL, {}, known({}))), ["barricades_type", "sheeting", "opening_dia"]);
  assert.deepEqual(shown(sectionsNow(PROTOCOL, {}, known({ "barricades_type != 'none'": false }))), ["barricades_type", "sheeting", "opening_dia"]);
  assert.deepEqual(shown(sectionsNow(PROTOCOL, {}, known({ "barricades_type != 'none'": true }))).includes("barricades_count"), true);
});

test("what was typed is never hidden, whatever its condition says now", () => {
  const values = { barricades: { barricades_type: "none", barricades_count: "4" } };
  assert.equal(shown(sectionsNow(PROTOCOL, values, known({ "barricades_type != 'none'": false }))).includes("barricades_count"), true);
});

test("what is asked for follows the answers", () => {
  const open = (values, truths) => unanswered(sectionsNow(PROTOCOL, values, known(truths)), values, known(truths)).map((m) => m.field.field);
  assert.deepEqual(open({}, {}), ["barricades_type"]);
  assert.deepEqual(open({ barricades: { barricades_type: "drum" } }, { "barricades_type != 'none'": true }), ["barricades_count"]);
  assert.deepEqual(open({ barricades: { barricades_type: "none" } }, { "basis == 'centre'": true }), ["opening_dia"]);
});

test("not checked is an answer to the form; empty text, an empty list and an empty reading are none", () => {
  for (const value of ["not_checked", "none", "0", 0, ["north"], { value: "5 1/2", unit: "in" }, { lat: 43, lon: -89 }]) assert.equal(isAnswered(value), true);
  for (const value of [null, undefined, "", [], { value: " ", unit: "in" }, { lat: "", lon: "" }]) assert.equal(isAnswered(value), false);
});

test("each side of the opening has a photo of its own", () => {
  const photos = [{ photo_id: "p1", row: { shows: "barricade_side", proves: "sides.south" } }];
  const slots = photoSlots(PROTOCOL, photos, known({}));
  assert.deepEqual(slots.map((s) => [s.label, s.taken.length]), [["North", 0], ["South", 1]]);
  assert.equal(new Set(slots.map((s) => s.key)).size, 2);
});

test("a photo that was taken keeps its place when its condition no longer holds", () => {
  const photos = [{ photo_id: "p1", row: { shows: "lights", proves: "lights_lit" } }];
  assert.equal(photoSlots(PROTOCOL, photos, known({ lights: false })).some((s) => s.label === "Lights"), true);
});

test("a section counts what it asks for and what is done", () => {
  const values = { barricades: { barricades_type: "none" } };
  const sections = sectionsNow(PROTOCOL, values, known({}));
  const slots = photoSlots(PROTOCOL, [{ photo_id: "p1", row: { shows: "barricade_side", proves: "sides.north" } }], known({}));
  assert.deepEqual(progress(sections, values, known({}), { slots, signatures: PROTOCOL.signatures, signed: { signature_inspector: "s1" } }).map(({ id, begun, open, done, of }) => [id, begun, open, done, of]),
    [["site", true, 0, 1, 1], ["photos", true, 1, 1, 2], ["signatures", true, 0, 1, 1]]);
});

test("rows of a list that only grows answer its field", () => {
  const protocol = { sections: [{ id: "gas", title: "Gas", groups: [{ group: "gas", fields: [{ field: "gas", append_only: true, required: true }] }] }] };
  const open = (/** @type {Record<string, any[]>} */ lists) => {
    const values = withLists(protocol, { gas: { stop_work: "no" } }, lists);
    return unanswered(sectionsNow(protocol, values, known({})), values, known({})).length;
  };
  assert.equal(open({}), 1);
  assert.equal(open({ gas: [] }), 1);
  assert.equal(open({ gas: [{ row: { o2: { value: "20.8", unit: "pct" } } }] }), 0);
});
