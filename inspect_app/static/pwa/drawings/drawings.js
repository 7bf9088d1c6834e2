/** Which drawing belongs to which section, and which fields stand beside it. A drawing shows and writes readings; it keeps none. */
import { dial } from "./dial.js";
import { plan } from "./plan.js";
import { stack } from "./stack.js";

/**
 * @typedef {object} Drawing
 * @property {string[]} left fields under the drawing
 * @property {string[]} right fields beside it
 * @property {((visit: any) => any) | null} beside drawn at the left of those fields
 * @property {((visit: any) => any) | null} below drawn over the whole width before the other fields
 * @property {((visit: any) => any) | null} column drawn in a column of its own beside all fields, over the number pad
 */

/** @type {Record<string, Drawing>} */
const DRAWINGS = {
  tap: { left: ["view_direction"], right: ["clock"], beside: dial, below: plan, column: null },
  backfill: { left: [], right: [], beside: null, below: null, column: stack },
};

/**
 * The drawing of a section, or null where the section is drawn by its fields alone.
 * @param {string | null | undefined} name
 * @returns {Drawing | null}
 */
export const drawingOf = (name) => (name && DRAWINGS[name]) || null;
