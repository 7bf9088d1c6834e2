/** What the drawings say to the ear. Pure: the words of a drawing are the same on the tablet, in the office and in the tests. */
import { asWords, t } from "../words.js";
import { GASES, SIDES } from "./parts.js";

/** What the drawing says to the ear. @param {import("./excavation.js").Opening} of */
export function opening({ sides, depth, protection, sun }) {
  return [t.dig.name, ...SIDES.map((side) => t.dig.side(t.dig.sides[side], t.dig.guardsSaid[sides[side].guard], t.dig.lampsSaid[sides[side].lamp])),
    depth ? t.dig.depth(depth) : "", protection ? t.dig.protection(protection) : "",
    sun ? `${sun.night ? `${t.dig.night} ` : ""}${sun.text}.` : ""].filter(Boolean).join(" ");
}

/** What the drawing says to the ear. @param {import("./profile.js").Run} run */
export function profile({ inverts, covers, elevations, stations, depths, outcomes, slopes, least }) {
  return [t.profile.name + ".", ...inverts.map((one, k) => `${t.profile.invert(one.n + 1, stations[k], elevations[k])}.`),
    ...slopes.map((slope, k) => t.profile.run(k + 1, slope.text, slope.bad)), least ? `${t.profile.least(least.text)}.` : "",
    ...covers.map((one, k) => `${t.profile.cover(one.n + 1, String(one.x), depths[k], outcomes[k] ? t.outcomes[/** @type {"pass"} */ (outcomes[k])] : "")}.`)].filter(Boolean).join(" ");
}

/** @param {string} place */
export const placeName = (place) => t.house.places[/** @type {"n"} */ (place.toLowerCase())];

/** One outlet to the ear. @param {import("./house.js").Outlet} one */
export function outlet(one) {
  return [t.house.outlet(one.id, one.place ? placeName(one.place) : one.side ? `${one.side}, ${t.house.nowhere}` : t.house.nowhere),
    one.path ? t.house.paths[one.path] ?? one.path : t.house.noPath, one.dye ? t.house.dye(one.dye, one.seen) : "", one.result,
    one.outcome ? t.outcomes[/** @type {"pass"} */ (one.outcome)].toLowerCase() : ""].filter(Boolean).join(", ");
}

/** What the drawing says to the ear. @param {import("./house.js").House} of */
export const house = ({ outlets }) => [`${t.house.name}.`, ...(outlets.length ? outlets.map((one) => `${outlet(one)}.`) : [t.house.none])].join(" ");


/** What the drawing says to the ear. @param {import("./gas.js").Shaft} of */
export const gas = ({ rows, stops }) => [`${t.gas.name}.`, ...GASES.flatMap((gas) => (stops[gas] ? [`${t.gas.gases[gas]}: ${stops[gas]}.`] : [])),
  ...rows.map((row) => t.gas.row(row.depth || t.gas.noDepth, GASES.map((gas) => `${t.gas.gases[gas]} ${row.values[gas] || "–"}${row.past.has(gas) ? `, ${t.gas.past}` : ""}`).join("; ")))].join(" ");

/** Lifts from the pipe up. @param {any[]} rows @param {number[]} depths @param {number} cover @param {(string | null)[]} [outcomes] @param {boolean} [tracer] */
export function stack(rows, depths, cover, outcomes = [], tracer = false) {
  const filled = depths.reduce((sum, depth) => sum + depth, 0);
  const word = (/** @type {number} */ n) => (outcomes[n] && outcomes[n] !== "pass" ? `, ${t.outcomes[/** @type {"pass"} */ (outcomes[n])].toLowerCase()}` : "");
  return t.drawn.stack(rows.map((row, n) => `${depths[n]} in${row.zone ? ` ${asWords(row.zone).toLowerCase()}` : ""}${word(n)}`).join(", "), filled,
    cover) + (tracer ? ` ${t.drawn.tracerAbove}` : "");
}
