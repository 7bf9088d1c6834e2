/** The parts that drawings and what they write have in common. */

/** @typedef {"north" | "east" | "south" | "west"} Side */
/** @typedef {"barricade" | "none" | "unknown"} Guard */
/** @typedef {"lit" | "unlit" | "none" | "unknown"} Lamp */

/** @type {Side[]} */
export const SIDES = ["north", "east", "south", "west"];

/** The state after a press. @type {Record<Guard, Guard>} */
export const NEXT_GUARD = { unknown: "barricade", barricade: "none", none: "unknown" };

/** @type {Record<Lamp, Lamp>} */
export const NEXT_LAMP = { unknown: "lit", none: "lit", lit: "unlit", unlit: "none" };

/** Columns of the gas table. */
export const GASES = ["o2", "lel", "h2s", "co"];
