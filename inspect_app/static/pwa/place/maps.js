/** Geometry of a village's map: a plane in metres around a place, shapes on it, what is in view, what is nearest. Pure. */

/** @typedef {{lat: number, lon: number}} Spot
 * @typedef {{layer: string, id: string, kind: string, name: string, lines: [number, number][][], box: [number, number, number, number]}} Shape lines in metres east and north of the origin */

const METRES_A_DEGREE = 111_195;

/** A plane that touches the earth here; across a village its error is less than a hand. @param {Spot} origin */
export function planeAt(origin) {
  const east = METRES_A_DEGREE * Math.cos((origin.lat * Math.PI) / 180);
  return {
    /** @param {Spot} spot @returns {[number, number]} */
    to: ({ lat, lon }) => [(lon - origin.lon) * east, (lat - origin.lat) * METRES_A_DEGREE],
    /** @param {number} x @param {number} y @returns {Spot} with six decimals: 11 cm, more would only pretend */
    from: (x, y) => ({ lat: round(origin.lat + y / METRES_A_DEGREE), lon: round(origin.lon + x / east) }),
  };
}

/** @param {number} degrees */
const round = (degrees) => Math.round(degrees * 1e6) / 1e6;

/** How deep the lists of a geometry's positions lie. @type {Record<string, number>} */
const DEPTH = { Point: 0, LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3 };

/**
 * Every feature of every layer, on the plane.
 * @param {Record<string, any>} layers GeoJSON by name @param {ReturnType<typeof planeAt>} plane
 * @returns {Shape[]}
 */
export const shapesOf = (layers, plane) => Object.entries(layers).flatMap(([layer, { features = [] }]) => features.map((/** @type {any} */ feature) => {
  const { type, coordinates } = feature.geometry;
  const { id = "", kind = "", name = "" } = feature.properties ?? {};
  const lines = linesOf(coordinates, DEPTH[type] ?? 0).map((line) => line.map(([lon, lat]) => plane.to({ lat, lon })));
  return { layer, id, kind, name, lines, box: boxOf(lines.flat()) };
}));

/** @param {any} part @param {number} depth @returns {[number, number][][]} */
function linesOf(part, depth) {
  if (depth === 0) return [[part]];
  return depth === 1 ? [part] : part.flatMap((/** @type {any} */ inner) => linesOf(inner, depth - 1));
}

/** The smallest box around points. @param {[number, number][]} points @returns {[number, number, number, number]} */
export function boxOf(points) {
  /** @type {[number, number, number, number]} */
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    if (x < box[0]) box[0] = x;
    if (y < box[1]) box[1] = y;
    if (x > box[2]) box[2] = x;
    if (y > box[3]) box[3] = y;
  }
  return box;
}

/** Shapes of which some may be within a box. @param {Shape[]} shapes @param {[number, number, number, number]} box */
export const within = (shapes, [left, bottom, right, top]) => shapes.filter(({ box }) => box[0] <= right && box[2] >= left && box[1] <= top && box[3] >= bottom);

/** The structure nearest to a point, if one is as near as this. @param {Shape[]} shapes @param {[number, number]} point @param {number} metres */
export function nearest(shapes, [x, y], metres) {
  /** @type {Shape | null} */
  let found = null;
  let least = metres;
  for (const shape of shapes) {
    const [at] = shape.lines[0];
    const away = Math.hypot(at[0] - x, at[1] - y);
    if (shape.layer === "structures" && away <= least) [found, least] = [shape, away];
  }
  return found;
}
