/** Which drawing belongs to which section, with the readings and findings it shows. A drawing writes readings; it keeps none. */
import { dial } from "../drawings/dial.js";
import { plan } from "../drawings/plan.js";
import { stack } from "../drawings/stack.js";
import { clockMinutes, clockOf, plain } from "../fields/reading.js";
import { inputId } from "../fields/spec.js";
import { excavation } from "./drawn_excavation.js";
import { gas } from "./drawn_gas.js";
import { house } from "./drawn_house.js";
import { profile } from "./drawn_profile.js";
import { limitFor, readersOf, worstOf } from "./marks.js";
import { rowOutcome } from "./rows.js";

/** @typedef {import("./visit.js").Visit} Visit */

/**
 * @typedef {object} Drawing
 * @property {string[]} left fields under the drawing
 * @property {string[]} right fields beside it
 * @property {((visit: Visit) => any) | null} beside drawn at the left of those fields
 * @property {((visit: Visit) => any) | null} below drawn over the whole width before the other fields
 * @property {((visit: Visit) => any) | null} column drawn in a column of its own beside all fields, over the number pad
 * @property {{groups: string[], draw: (visit: Visit) => any}} [before] drawn before the first of the groups that it writes
 */

/** @type {Record<string, Drawing>} */
const DRAWINGS = {
  tap: { left: ["view_direction"], right: ["clock"], beside: tapAround, below: tapAlong, column: null },
  backfill: { left: [], right: [], beside: null, below: null, column: backfill },
  excavation: { left: [], right: [], beside: null, below: null, column: null, before: { groups: ["barricades", "lights"], draw: excavation } },
  lateral_profile: { left: [], right: [], beside: null, below: profile, column: null },
  house: { left: [], right: [], beside: null, below: house, column: null },
  gas: { left: [], right: [], beside: null, below: gas, column: null },
};

/**
 * The drawing of a section, or null where the section is drawn by its fields alone.
 * @param {string | null | undefined} name
 * @returns {Drawing | null}
 */
export const drawingOf = (name) => (name && DRAWINGS[name]) || null;

/**
 * The drawing of a section where it is only shown, as in the office; null where there is nothing to draw yet.
 * @param {string} name @param {any} visit what is known of one: answers, findings, judge, protocol
 */
export function shownOf(name, visit) {
  const drawing = drawingOf(name);
  const draw = drawing?.before?.draw ?? drawing?.below ?? drawing?.column;
  return draw ? draw({ ...visit, readonly: true }) : null;
}

const JOINTS = ["joint_distance_up", "joint_distance_down"];
const LATERAL = ["other_lateral_distance"];

/** Inches as a number for drawing only; the rule compares the exact one. @param {any} value */
function inches(value) {
  const text = plain(value, "in");
  return text ? Number.parseFloat(text) : null;
}

/** @param {Visit} visit */
function tapAround(visit) {
  const group = "tap_geometry";
  const clock = String(visit.value(group, "clock") ?? "");
  const minutes = clockMinutes(clock);
  const readers = readersOf(visit.findings, ["clock"]);
  return dial({
    clock, minutes, looking: visit.value(group, "view_direction") ?? "",
    outcome: minutes === null ? null : worstOf(readers), judged: readers.length > 0,
    set: (next) => visit.set(group, "clock", clockOf(next), { label: visit.labels.clock, done: true }),
  });
}

/** @param {Visit} visit */
function tapAlong({ answers, findings, app }) {
  const lateral = answers.none_exposed === "yes" ? null : answers.other_lateral_distance;
  return plan({
    reading: {
      up: inches(answers.joint_distance_up), down: inches(answers.joint_distance_down), lateral: inches(lateral),
      opening: inches(answers.opening_dia), centre: answers.basis === "centre",
    },
    state: {
      joint: worstOf(readersOf(findings, JOINTS)), lateral: worstOf(readersOf(findings, LATERAL)),
      jointLimit: limitFor(findings, JOINTS), lateralLimit: limitFor(findings, LATERAL),
    },
    words: {
      up: plain(answers.joint_distance_up, "in"), down: plain(answers.joint_distance_down, "in"), lateral: plain(lateral, "in"),
      opening: plain(answers.opening_dia, "in"), manhole: [answers.mh_ref, plain(answers.distance_mh, "ft")].filter(Boolean).join(", "),
    },
    go: (field) => app.openField(inputId(field)),
  });
}

/** @param {any} visit */
function backfill(visit) {
  const { answers, findings, ui, app } = visit;
  const rows = answers.lifts ?? [];
  const covers = (answers.cover_top ?? []).map((/** @type {any} */ row) => inches(row.depth)).filter(Boolean);
  const open = visit.readonly ? null : ui.rows.get("lifts") ?? null;
  const limits = open === null ? [] : visit.judge.limits("lifts", open, "depth").map((/** @type {any} */ one) => one.limit);
  return stack({
    rows,
    depths: rows.map((/** @type {any} */ row) => inches(row.depth) ?? 0),
    outcomes: rows.map((/** @type {any} */ _, /** @type {number} */ n) => rowOutcome(findings, "lifts", n)),
    around: {
      // Four inches of each are drawn where nothing was measured, so that the stack has something to stand on.
      bedding: inches(answers.bedding_thickness) ?? 4, pipe: inches(answers.segments?.[0]?.diameter) ?? 4,
      cover: covers.length ? Math.min(...covers) : 0,
    },
    tracer: answers.locating_method === "tracer", open, limits: [...new Set(limits)],
    go: visit.readonly ? null : (n) => { ui.rows.set("lifts", n); app.render(); app.focus(`lift-${n + 1}`); },
  });
}
