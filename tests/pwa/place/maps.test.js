import assert from "node:assert/strict";
import { test } from "node:test";

import { metresBetween } from "../../../inspect_app/static/pwa/place/distance.js";
import { boxOf, nearest, planeAt, shapesOf, within } from "../../../inspect_app/static/pwa/place/maps.js";

const HALL = { lat: 43.0155, lon: -89.8954 };
const plane = planeAt(HALL);
const LAYERS = {
  parcels: { features: [{ properties: { id: "Lot 14" }, geometry: { type: "Polygon", coordinates: [[[-89.895, 43.015], [-89.894, 43.015], [-89.894, 43.016], [-89.895, 43.015]]] } }] },
  mains: { features: [{ properties: { id: "M-1" }, geometry: { type: "LineString", coordinates: [[-89.8954, 43.0155], [-89.8944, 43.0155]] } }] },
  structures: { features: [
    { properties: { id: "MH-112", kind: "manhole" }, geometry: { type: "Point", coordinates: [-89.8954, 43.0155] } },
    { properties: { id: "MH-113", kind: "manhole" }, geometry: { type: "Point", coordinates: [-89.8944, 43.0155] } },
  ] },
};
const shapes = shapesOf(LAYERS, plane);

test("a place goes onto the plane and comes back, and distances on it are those on the earth", () => {
  const spot = { lat: 43.01612, lon: -89.89418 };
  const [x, y] = plane.to(spot);
  assert.deepEqual(plane.from(x, y), spot);
  assert.ok(Math.abs(Math.hypot(x, y) - metresBetween(HALL, spot)) < 0.1);
});

test("every kind of shape is drawn from what GeoJSON says of it", () => {
  assert.deepEqual(shapes.map(({ layer, id, lines }) => [layer, id, lines.length, lines[0].length]), [
    ["parcels", "Lot 14", 1, 4], ["mains", "M-1", 1, 2], ["structures", "MH-112", 1, 1], ["structures", "MH-113", 1, 1],
  ]);
  const many = shapesOf({ parcels: { features: [{ properties: null, geometry: { type: "MultiPolygon", coordinates: [[[[0, 0], [1, 1]]], [[[2, 2], [3, 3]]]] } }] } }, plane);
  assert.deepEqual([many[0].lines.length, many[0].id], [2, ""]);
});

test("what is in view is found, and a press takes the nearest structure within a finger's width, or none", () => {
  assert.deepEqual(within(shapes, [-5, -5, 5, 5]).map(({ id }) => id), ["M-1", "MH-112"]);
  assert.equal(nearest(shapes, [3, 2], 6)?.id, "MH-112");
  assert.equal(nearest(shapes, [78, 0], 6)?.id, "MH-113");
  assert.equal(nearest(shapes, [40, 0], 6), null);
  assert.deepEqual(boxOf([[1, 5], [-2, 3]]), [-2, 3, 1, 5]);
});
