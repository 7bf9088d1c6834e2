/** What a field of a protocol says about itself, in one shape for every kind of field. Pure. */
import { asWords } from "../words.js";
import { say } from "./say.js";

/** Slugs with what the screen shows for each. @param {any} field @returns {[string, string][]} */
export function choicesOf(field) {
  const labels = field.choice_labels ?? field.labels ?? (isRecord(field.choices) ? field.choices : {});
  const slugs = Array.isArray(field.choices) ? field.choices : Object.keys(labels);
  return slugs.map((/** @type {string} */ slug) => [slug, labels[slug] ?? say(asWords(slug))]);
}

/** The fields of a list's row, in the order of the form. @param {any} field */
export function rowFields(field) {
  const of = field.of ?? {};
  if (Array.isArray(field.row)) {
    return field.row.map((/** @type {any} */ cell) => ({ ...(of[cell.field] ?? {}), label: say(asWords(cell.field)), ...cell }));
  }
  return Object.entries(of).map(([name, spec]) => ({ label: say(asWords(name)), .../** @type {any} */ (spec), field: name }));
}

/** The units offered beside a number. A reading's unit follows the row's parameter where the spec says so.
 * @param {any} field @param {Record<string, any>} [row] @returns {string[]} */
export function unitsOf(field, row = {}) {
  if (field.unit === "by_param") {
    const offered = isRecord(field.units) ? field.units : { ph: ["ph"], temperature: ["degF", "degC"], chlorine_residual: ["mg/l",
      "ug/l"] };
    return offered[row.param] ?? [];
  }
  const units = Array.isArray(field.units) ? field.units : OFFERED[field.unit];
  return units?.length ? units : [field.unit].filter(Boolean);
}

/** For protocols that name a unit and no choice of units. @type {Record<string, string[]>} */
const OFFERED = { in: ["in", "cm"], ft: ["ft", "m"], degF: ["degF", "degC"], degC: ["degC", "degF"], psi: ["psi", "ft_water"] };

/** Text fields in which people write sentences. @param {any} field */
export const isLong = (field) => field.long === true || /(^|_)(note|reason|description|obstruction)$/.test(field.field);

/** The id of a field's input; rows count from 1. @param {string} name @param {string} [list] @param {number} [row] */
export const inputId = (name, list, row) => (list ? `field-${list}-${row}-${name}` : `field-${name}`);

/** @param {any} value */
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
