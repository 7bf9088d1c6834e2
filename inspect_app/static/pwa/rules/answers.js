// From answers as typed to the values a rule compares: exact numbers in the field's unit, days, instants, texts.
// Whatever cannot be read is not answered. The Python twin is inspect_app/domain/answers.py; change both together.

import * as calendar from "./calendar.js";
import { evaluate, parse, Scope } from "./expression.js";
import { isBeyond } from "./fraction.js";
import { fromJson, stripBlank, whole } from "./quantities.js";
import { NONE } from "./scope.js";
import { Row } from "./values.js";

/**
 * @typedef {import("./values.js").Value} Value
 * @typedef {import("./quantities.js").Units} Units
 * @typedef {{type: string, unit?: string, accept?: string | string[], choices?: string[],
 *   of?: Record<string, Spec>, default?: unknown, computed_from?: string}} Spec a field of the dictionary
 */

/**
 * The unit in which a reading of each parameter is compared (fields of unit by_param).
 * @type {Map<unknown, string>}
 */
const UNIT_OF_PARAM = new Map([
  ["ph", "ph"],
  ["temperature", "degF"],
  ["chlorine", "mg/l"],
  ["chlorine_residual", "mg/l"],
]);

/** One inspection's answers, context and settings by flat name; each is read when it is first asked. */
export class Answers {
  /**
   * @param {Record<string, Spec>} fields
   * @param {Units} units
   * @param {Record<string, unknown>[]} given the first that has a name decides, even if it says null
   * @param {Record<string, unknown>} [otherwise] what is known where nothing is given that can be read
   */
  constructor(fields, units, given, otherwise = {}) {
    this.fields = fields;
    this.units = units;
    this.given = given;
    this.otherwise = otherwise;
    /** @type {Map<string, Value | undefined>} */
    this.known = new Map();
    /** @type {Map<string, import("./scope.js").Result>} */
    this.worked = new Map();
  }

  /**
   * The value under a name, or undefined if it is not answered.
   * @param {string} name
   */
  get(name) {
    if (!this.known.has(name)) {
      const spec = own(this.fields, name);
      const given = spec && readAnswer(spec, this.raw(name), this.units, name);
      this.known.set(name, given ?? (spec && readAnswer(spec, own(this.otherwise, name), this.units, name)));
    }
    return this.known.get(name);
  }

  /**
   * @param {string} name
   * @returns {unknown}
   */
  raw(name) {
    return this.given.find((layer) => Object.hasOwn(layer, name))?.[name];
  }

  /**
   * What `computed_from` of a field that is not answered gives. Within it the field's own name is not answered: so it
   * says that the field itself is needed.
   * @param {string} name
   */
  derived(name) {
    const source = own(this.fields, name)?.computed_from;
    if (source === undefined) return undefined;
    let result = this.worked.get(name);
    if (!result) {
      this.worked.set(name, { missing: new Set([name]), error: null, reads: NONE }); // while it is computed
      result = evaluate(parse(source), new Scope(this));
      this.worked.set(name, result);
    }
    return result;
  }

  /**
   * Field and raw answer under `name` or `list[0].name`; empty if there is no such field.
   * @param {string} path
   * @returns {{spec?: Spec, raw?: unknown}}
   */
  typed(path) {
    const [, name, index, field] = /^([^[]*)(?:\[(\d+)\]\.(.*))?$/.exec(path) ?? [];
    const spec = own(this.fields, name ?? "");
    const raw = this.raw(name ?? "");
    if (index === undefined) return { spec, raw };
    const row = Array.isArray(raw) ? raw[Number(index)] : undefined;
    return { spec: own(spec?.of, field), raw: isObject(row) ? own(row, field) : undefined };
  }

  /**
   * The unit in which the measure under a path was typed.
   * @param {string} path
   */
  typedUnit(path) {
    const { raw } = this.typed(path);
    return isObject(raw) ? raw.unit : undefined;
  }
}

/**
 * The value of one answer by the type of its field, or undefined if it is not answered.
 * @param {Spec} spec
 * @param {unknown} raw
 * @param {Units} units
 * @param {string} path
 * @returns {Value | undefined}
 */
export function readAnswer(spec, raw, units, path) {
  const choices = spec.choices ?? [];
  switch (spec.type) {
    case "measure":
      return measure(raw, spec.unit, spec.accept, units);
    case "number":
      return fromJson(raw) ?? undefined;
    case "integer": {
      const number = fromJson(raw);
      return number?.isWhole ? number : undefined;
    }
    case "bool3":
      return raw === "yes" || raw === "no" ? raw === "yes" : undefined;
    case "bool":
      return typeof raw === "boolean" ? raw : undefined;
    case "choice":
      return typeof raw === "string" && choices.includes(raw) ? raw : undefined;
    case "choices": // one word that is not in the list makes the whole answer unreadable: half an answer could pass
      if (!Array.isArray(raw) || !raw.length || !raw.every((word) => choices.includes(word))) return undefined;
      return [...raw];
    case "text":
    case "photo":
    case "signature":
      return typeof raw === "string" && stripBlank(raw) ? raw : undefined;
    case "date":
      return typeof raw === "string" ? wholeOrNothing(calendar.dayNumber(raw)) : undefined;
    case "time":
      return typeof raw === "string" ? (calendar.instant(raw) ?? undefined) : undefined;
    case "clock":
      return typeof raw === "string" ? wholeOrNothing(calendar.clockMinutes(raw)) : undefined;
    case "place":
      return place(raw, path);
    case "list":
      if (!Array.isArray(raw) || !raw.length) return undefined;
      return raw.map((row, index) => rowOf(spec.of ?? {}, row, units, path, index));
    default:
      return undefined;
  }
}

/** @param {number | null} number */
function wholeOrNothing(number) {
  return number === null ? undefined : whole(number);
}

/**
 * @param {unknown} raw
 * @param {string | undefined} unit
 * @param {string | string[] | undefined} accept
 * @param {Units} units
 */
function measure(raw, unit, accept, units) {
  if (!isObject(raw) || typeof raw.unit !== "string" || typeof unit !== "string") return undefined;
  const number = fromJson(raw.value);
  const rows = Array.isArray(accept) ? accept : [accept ?? ""];
  return number ? (units.read(number, raw.unit, unit, rows) ?? undefined) : undefined;
}

/**
 * @param {unknown} raw
 * @param {string} path
 */
function place(raw, path) {
  if (!isObject(raw)) return undefined;
  const lat = fromJson(raw.lat);
  const lon = fromJson(raw.lon);
  const accuracy = fromJson(raw.accuracy_m);
  if (!lat || !lon || isBeyond(lat, 90) || isBeyond(lon, 180)) return undefined;
  /** @type {Map<string, Value>} */
  const fields = new Map([["lat", lat], ["lon", lon]]);
  if (accuracy) fields.set("accuracy_m", accuracy);
  return new Row(path, fields);
}

/**
 * A row keeps its place even if nothing in it can be read.
 * @param {Record<string, Spec>} of
 * @param {unknown} raw
 * @param {Units} units
 * @param {string} path
 * @param {number} index
 */
function rowOf(of, raw, units, path, index) {
  const here = `${path}[${index}]`;
  /** @type {Map<string, Value>} */
  const fields = new Map();
  const answers = isObject(raw) ? raw : {};
  for (const [name, field] of Object.entries(of)) {
    const spec = field.unit === "by_param" ? { ...field, unit: UNIT_OF_PARAM.get(own(answers, "param")) } : field;
    const value = readAnswer(spec, own(answers, name), units, `${here}.${name}`);
    if (value !== undefined) fields.set(name, value);
  }
  return new Row(here, fields, index + 1);
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, any>}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A member of an object itself, never one it inherits.
 * @template T
 * @param {Record<string, T> | undefined | null} object
 * @param {string} name
 * @returns {T | undefined}
 */
export function own(object, name) {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}
