import assert from "node:assert/strict";
import { test } from "node:test";

import { positionMessage } from "../../../inspect_app/static/pwa/fields/position.js";

const village = { name: "Village of Barneveld", latitude: 43.0155, longitude: -89.8954 };

test("a position in the village has no message, half a one neither", () => {
  assert.equal(positionMessage({ lat: 43.02, lon: -89.9 }, village), "");
  assert.equal(positionMessage({ lat: "43.02", lon: "" }, village), "");
  assert.equal(positionMessage(null, village), "");
});

test("latitude and longitude changed about, or a minus forgotten, are far from the village and said", () => {
  for (const slip of [{ lat: -89.8954, lon: 43.0155 }, { lat: 43.0155, lon: 89.8954 }]) {
    assert.match(positionMessage(slip, village), /^This is [\d,]+ miles from Village of Barneveld\. Check/);
  }
});

test("what is no place on earth, or no number, is said with what to type", () => {
  assert.match(positionMessage({ lat: 91, lon: 0 }, village), /from −90 to 90/);
  for (const lat of ["43,0155", "43° 0' 56\"", "٤٣"]) assert.match(positionMessage({ lat, lon: -89 }, village), /plain numbers, such as/);
});
