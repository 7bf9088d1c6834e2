/**
 * What a press on the drawn excavation writes, and how its state is read. A side is known by two lists, covered and bare; one in
 * neither is not checked. "None" as kind of barricade or light says it of all four. Pure.
 */
import { SIDES } from "../drawings/parts.js";

/**
 * @typedef {import("../drawings/parts.js").Side} Side
 * @typedef {import("../drawings/parts.js").Guard} Guard
 * @typedef {import("../drawings/parts.js").Lamp} Lamp
 * @typedef {{group: string, name: string, value: any}} Write
 */

/** @param {any} value @returns {Side[]} */
const listed = (value) => (Array.isArray(value) ? value : []);

/** @param {Record<string, any>} answers @returns {Record<Side, {guard: Guard, lamp: Lamp}>} */
export function sidesOf(answers) {
  const [covered, bare, lit, unlit] = ["barricades_sides", "barricades_open_sides", "lights_lit_sides", "lights_unlit_sides"].map((name) => listed(answers[name]));
  const guard = (/** @type {Side} */ side) => (answers.barricades_type === "none" || bare.includes(side) ? "none" : covered.includes(side) ? "barricade" : "unknown");
  const lamp = (/** @type {Side} */ side) => (answers.lights_type === "none" ? "none" : lit.includes(side) ? "lit" : unlit.includes(side) ? "unlit"
    : lit.length + unlit.length ? "none" : "unknown");
  return /** @type {any} */ (Object.fromEntries(SIDES.map((side) => [side, { guard: guard(side), lamp: lamp(side) }])));
}

/** The lists with one side moved: into the one of its state, out of the other; an empty list is no answer.
 * @param {any[]} lists the two lists now @param {Side} side @param {number} into 0, 1, or -1 for neither */
const moved = (lists, side, into) => lists.map((list, n) => {
  const next = SIDES.filter((one) => (one === side ? n === into : listed(list).includes(one)));
  return next.length ? next : null;
});

/**
 * What a press on a side writes.
 * @param {Record<string, any>} answers @param {Side} side @param {Guard} guard @returns {Write[]}
 */
export function guardWrites(answers, side, guard) {
  const group = "barricades";
  const none = answers.barricades_type === "none";
  // Where there was none at all, one that stands now makes the other three bare, and its kind is asked for again.
  const bare = none ? SIDES : answers.barricades_open_sides;
  const to = none ? "barricade" : guard;
  const [covered, open] = moved([none ? [] : answers.barricades_sides, bare], side, to === "barricade" ? 0 : to === "none" ? 1 : -1);
  const writes = [{ group, name: "barricades_sides", value: covered }, { group, name: "barricades_open_sides", value: open }];
  if (none) writes.push({ group, name: "barricades_type", value: null });
  // Four bare sides are the answer "none".
  else if (open?.length === SIDES.length && !answers.barricades_type) writes.push({ group, name: "barricades_type", value: /** @type {any} */ ("none") });
  return writes;
}

/**
 * What a press on a lamp writes: its side, whether all are lit, and how many there are unless a person said so.
 * @param {Record<string, any>} answers @param {Side} side @param {Lamp} lamp @returns {Write[]}
 */
export function lampWrites(answers, side, lamp) {
  const group = "lights";
  const lists = [answers.lights_lit_sides, answers.lights_unlit_sides];
  const before = listed(lists[0]).length + listed(lists[1]).length;
  const [lit, unlit] = moved(lists, side, lamp === "lit" ? 0 : lamp === "unlit" ? 1 : -1);
  const now = (lit?.length ?? 0) + (unlit?.length ?? 0);
  const writes = [{ group, name: "lights_lit_sides", value: /** @type {any} */ (lit) }, { group, name: "lights_unlit_sides", value: unlit },
    { group, name: "lights_lit", value: unlit ? "no" : lit ? "yes" : null }];
  const count = answers.lights_count ?? null;
  if (count === null || String(count) === String(before)) writes.push({ group, name: "lights_count", value: now ? String(now) : null });
  if (answers.lights_type === "none" && now) writes.push({ group, name: "lights_type", value: null });
  return writes;
}
