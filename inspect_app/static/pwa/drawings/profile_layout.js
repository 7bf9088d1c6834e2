/** Where the points of a profile stand, in pixels. Pure; heights are drawn larger than lengths by a whole number, which is said. */

/** Room about the drawing. */
export const EDGE = { left: 44, right: 44, top: 44, bottom: 92 };

/**
 * @typedef {{x: number, y: number, n: number}} Invert station and elevation in feet, n from 0 among the rows
 * @typedef {{x: number, depth: number, least: number | null, n: number}} Cover station in feet, depths in inches
 */

/**
 * @param {Invert[]} inverts sorted by station, two at least
 * @param {Cover[]} covers sorted by station
 * @param {number} pipe its diameter in inches
 * @param {{width: number, height: number}} size
 */
export function profileLayout(inverts, covers, pipe, { width, height }) {
  const [first, last] = [inverts[0], inverts[inverts.length - 1]];
  const stations = [...inverts, ...covers].map((one) => one.x);
  const [from, to] = [Math.min(...stations), Math.max(...stations)];
  const along = (width - EDGE.left - EDGE.right) / Math.max(to - from, 1);
  // Outside the measured run the pipe is taken to go on level; a cover point may lie a foot beyond the last invert.
  const invertAt = (/** @type {number} */ x) => {
    if (x <= first.x) return first.y;
    if (x >= last.x) return last.y;
    const n = inverts.findIndex((one) => one.x > x);
    const [a, b] = [inverts[n - 1], inverts[n]];
    return a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
  };
  const grounds = covers.map((one) => invertAt(one.x) + (pipe + one.depth) / 12);
  const levels = [...inverts.map((one) => one.y), ...inverts.map((one) => one.y + pipe / 12), ...grounds];
  const [low, high] = [Math.min(...levels), Math.max(...levels)];
  const room = height - EDGE.top - EDGE.bottom;
  const fit = room / Math.max(high - low, 0.1) / along;
  const times = fit >= 1 ? Math.floor(fit) : Math.round(fit * 100) / 100;
  const up = times * along;
  const px = (/** @type {number} */ x) => round(EDGE.left + (x - from) * along);
  // Heights that do not fill the room stand at its lower end, under the names of the covers.
  const py = (/** @type {number} */ y) => round(height - EDGE.bottom - (y - low) * up);
  return {
    times, px, py, invertAt,
    points: inverts.map((one) => ({ x: px(one.x), y: py(one.y), n: one.n })),
    crowns: inverts.map((one) => ({ x: px(one.x), y: py(one.y + pipe / 12) })),
    covers: covers.map((one, k) => ({ x: px(one.x), ground: py(grounds[k]), crown: py(invertAt(one.x) + pipe / 12),
      least: one.least === null ? null : py(invertAt(one.x) + (pipe + one.least) / 12), n: one.n })),
  };
}

/** The line of the least slope from the upper end, as two points in pixels.
 * @param {ReturnType<typeof profileLayout>} at @param {Invert[]} inverts @param {number} least inches in a foot */
export function leastLine(at, inverts, least) {
  const [first, last] = [inverts[0], inverts[inverts.length - 1]];
  return { from: { x: at.px(first.x), y: at.py(first.y) }, to: { x: at.px(last.x), y: at.py(first.y - ((last.x - first.x) * least) / 12) } };
}

/** @param {number} n */
const round = (n) => Math.round(n * 10) / 10;
