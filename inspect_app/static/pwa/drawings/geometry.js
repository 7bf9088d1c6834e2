/** Where things stand in the drawings. Pure: numbers in, pixels out; what a reading means is the rules' business. */
import { t } from "../words.js";

/** Middle of the dial, and the step of a press. */
const MIDDLE = 132;
const STEP = 30;

/** A point on the dial. @param {number} minutes since twelve @param {number} radius */
export function at(minutes, radius) {
  const angle = (minutes / 720) * 2 * Math.PI;
  return { x: round(MIDDLE + radius * Math.sin(angle)), y: round(MIDDLE - radius * Math.cos(angle)) };
}

/**
 * Minutes of a point as seen from the middle, to the nearest half hour.
 * @param {number} dx to the right
 * @param {number} dy downwards
 */
export function minutesAt(dx, dy) {
  const angle = Math.atan2(dx, -dy);
  return ((Math.round(((angle / (2 * Math.PI)) * 720) / STEP) * STEP) % 720 + 720) % 720;
}

/** The position after a key, or null where the key means nothing here. @param {string} key @param {number | null} minutes */
export function stepOf(key, minutes) {
  const now = minutes ?? 0;
  const by = { ArrowRight: STEP, ArrowUp: STEP, ArrowLeft: -STEP, ArrowDown: -STEP, PageUp: 60, PageDown: -60 }[key];
  if (key === "Home") return 0;
  return by === undefined ? null : (((now + by) % 720) + 720) % 720;
}

/** Degrees from the crown, either way round. @param {number} minutes since twelve */
export const degrees = (minutes) => (minutes > 360 ? 720 - minutes : minutes) / 2;

/**
 * What the dial says to the ear.
 * @param {string} clock as typed
 * @param {number | null} minutes since twelve
 * @param {string} outcome its word, or ""
 */
export function spokenClock(clock, minutes, outcome) {
  if (minutes === null) return t.clock.none;
  const angle = degrees(minutes);
  const half = angle === 90 ? t.clock.half.edge : angle > 90 ? t.clock.half.lower : t.clock.half.upper;
  return t.clock.spoken(minutes % 60 ? clock : t.clock.oclock(minutes / 60 || 12), String(angle), half) + (outcome ? `: ${outcome.toLowerCase()}` : "");
}

/** @param {number} n */
const round = (n) => Math.round(n * 10) / 10;

/**
 * Where things stand, in pixels; null where a thing is not known, `far` where it lies beyond the sheet.
 * @param {{up: number | null, down: number | null, lateral: number | null, opening: number | null, centre: boolean}} reading inches
 * @param {{width: number, x: number, scale: number}} size
 */
export function planLayout({ up, down, lateral, opening, centre }, { width, x, scale }) {
  const radius = ((opening ?? 4) / 2) * scale;
  const off = centre ? 0 : radius;
  const side = (/** @type {number | null} */ d, /** @type {-1 | 1} */ way) => {
    if (d === null) return null;
    const from = x + way * off;
    const to = from + way * d * scale;
    return { from, to, edge: x + way * radius, far: way < 0 ? to < 24 : to > width - 24 };
  };
  return { radius, up: side(up, -1), down: side(down, 1), lateral: side(lateral, -1) };
}

/** @param {any} reading @param {Record<string, string>} words @param {any} state */
export function planCaption(reading, words, state) {
  const zone = (/** @type {number} */ d, /** @type {number | null} */ limit) => (limit === null ? "" : d <= limit ? t.drawn.inside(limit) : t.drawn.outside(limit));
  return [t.drawn.plan,
    reading.down !== null && t.drawn.down(words.down, zone(reading.down, state.jointLimit)),
    reading.up !== null && t.drawn.up(words.up, zone(reading.up, state.jointLimit)),
    reading.lateral !== null && t.drawn.other(words.lateral, zone(reading.lateral, state.lateralLimit))].filter(Boolean).join(" ");
}

/** Line of grade, and height under it. */
export const TOP = 26;
export const TALL = 362;

/**
 * Where each lift stands, in pixels from the top. Grade is the top line where the cover is known, else the stack fills half.
 * @param {number[]} depths from the pipe up, inches @param {{bedding: number, pipe: number, cover: number}} around inches
 */
export function stackLayout(depths, { bedding, pipe, cover }) {
  const filled = depths.reduce((sum, depth) => sum + depth, 0);
  const whole = Math.max(cover, filled * 1.1, 24) + pipe + bedding;
  const scale = TALL / whole;
  const floor = TOP + TALL - (bedding + pipe) * scale;
  let y = floor;
  const lifts = depths.map((depth) => { y -= depth * scale; return { y, height: depth * scale }; });
  return { scale, floor, lifts, top: y, filled };
}

/**
 * A scale that shows limit and reading at a readable distance: from zero where that is near, else a window about both.
 * @param {number} value @param {number} limit @returns {{from: number, to: number, step: number}}
 */
export function scale(value, limit) {
  const top = Math.max(value, limit);
  const low = Math.min(value, limit);
  const near = low >= 0 && low >= top * 0.25 ? low > top * 0.9 && top > 20 : false;
  const from = near ? low - (top - low || top * 0.02) * 4 : Math.min(0, low * 1.1);
  const reach = near ? top + (top - low || top * 0.02) * 4 : Math.min(Math.max(limit * 2, top * 1.15), Math.max(limit * 8, top));
  const to = Math.max(reach, top * 1.02, from + 1e-6);
  const step = niceStep((to - from) / 12);
  return { from, to, step };
}

/** The next of 1, 2, 5 times a power of ten. @param {number} least */
export function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((n) => n * power >= least * 0.999) ?? 10) * power;
}
