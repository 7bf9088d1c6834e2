/** The rule engine as a form uses it: conditions of the form, findings, and what the tablet itself knows of the day and the place. */
import { wallClock } from "../fields/moments.js";
import { useUnits } from "../fields/reading.js";
import { Answers } from "../rules/answers.js";
import { evaluate as compute, parse, Scope } from "../rules/expression.js";
import { sunContext } from "../rules/night.js";
import { Units } from "../rules/quantities.js";
import { evaluate, readPack, settingsOn } from "../rules/rules.js";
import { failedAlone, limitsOfCell } from "./limits.js";

/**
 * What the tablet supplies to the rules beside the answers.
 * @param {{doc: any, answers: Record<string, any>, reference: any, assignment: any, now: Date, clockOffsetMs?: number | null, settings?: Record<string, any>}} known
 */
export function contextOf({ doc, answers, reference, assignment, now, clockOffsetMs = 0, settings = {} }) {
  const village = reference?.village ?? {};
  const timezone = village.timezone ?? "America/Chicago";
  const today = wallClock(now, timezone).day;
  const seen = new Date(answers.observed_at ?? NaN);
  const sunDay = Number.isNaN(seen.getTime()) ? today : wallClock(seen, timezone).day;
  const spot = placed(answers.gps) ?? placed({ lat: village.latitude, lon: village.longitude });
  const definition = settings.night_definition ?? "sunset";
  const sun = spot ? sunOf(spot.lat, spot.lon, sunDay, timezone, definition) : null;
  const roles = reference?.person?.roles ?? [];
  return {
    ...(assignment?.context ?? {}),
    today, timezone,
    // The store measures server less tablet; the dictionary wants device less server.
    clock_offset_s: -Math.round((clockOffsetMs ?? 0) / 1000) || 0,
    village: doc.village ?? village.slug,
    ...(village.latitude === undefined ? {} : { village_latitude: String(village.latitude), village_longitude: String(village.longitude) }),
    ...(sun ?? {}),
    person_role: roles.includes("inspector") ? "inspector" : roles[0] ?? "inspector",
    tap_permissions: reference?.tap_permissions ?? [],
    // The form is judged as what it will be once it is handed in; a draft is not yet an inspection to any rule.
    record_state: "submitted",
    closing_out: false,
    ...(doc.parent_record ? { parent_record: doc.parent_record } : {}),
  };
}

/** The sun of the last place and day: it is asked for at every keystroke and seldom changes.
 * @param {number} lat @param {number} lon @param {string} day @param {string} timezone @param {string} definition */
function sunOf(lat, lon, day, timezone, definition) {
  const key = `${lat} ${lon} ${day} ${timezone} ${definition}`;
  if (lastSun?.key !== key) lastSun = { key, times: sunContext(lat, lon, day, timezone, definition) };
  return lastSun.times;
}
/** @type {{key: string, times: any} | null} */
let lastSun = null;

/** @param {any} place */
function placed(place) {
  const [lat, lon] = [place?.lat, place?.lon].map((n) => (n === null || n === undefined || n === "" ? NaN : Number(n)));
  return Number.isFinite(lat) && Number.isFinite(lon) ? { lat, lon } : null;
}

/** @param {{view: any, reference: any, assignment: any, now: () => Date, clockOffsetMs: () => number | null}} parts */
export function makeJudge({ view, reference, assignment, now, clockOffsetMs }) {
  const pack = view.pack ? readPack(view.pack) : null;
  const units = pack?.units ?? new Units({});
  useUnits(units);
  const fields = { ...specsOf(view.protocol, pack?.data.units ?? {}), ...pack?.data.fields };
  /** @type {Map<string, any>} */
  const trees = new Map();
  /** @type {Map<string, boolean | null>} conditions already answered for the answers of now */
  const known = new Map();
  /** @type {any} */
  let scope = null;
  let answers = {};
  /** @type {any} */
  let doc = view.doc;

  const judge = {
    ready: Boolean(pack),
    /** @type {Record<string, any>} what was used last, as it goes out with a submission */
    context: {},
    /** @type {Record<string, any>} the village's settings of the day */
    settings: {},
    /** @param {Record<string, any>} given @param {any} of */
    look(given, of) {
      answers = given;
      doc = of;
      known.clear();
      const day = wallClock(now(), reference?.village?.timezone ?? "America/Chicago").day;
      const settings = pack ? settingsOn(pack, day) : {};
      judge.settings = settings;
      judge.context = contextOf({ doc, answers, reference, assignment, now: now(), clockOffsetMs: clockOffsetMs(), settings });
      scope = new Scope(new Answers(fields, units, [settings, judge.context, answers]));
    },
    /**
     * Whether a condition of the form holds; null while it is not known.
     * @param {string} expression
     * @returns {boolean | null}
     */
    holds(expression) {
      let held = known.get(expression);
      if (held === undefined) {
        if (!trees.has(expression)) trees.set(expression, parse(expression));
        const { value } = compute(trees.get(expression), scope);
        held = typeof value === "boolean" ? value : null;
        known.set(expression, held);
      }
      return held;
    },
    /** The limits of a cell of a row under the rules that concern this visit. @param {string} list @param {number} n from 0 @param {string} cell */
    limits: (list, n, cell) => (pack ? limitsOfCell(pack, { kind: doc.protocol, answers, context: judge.context }, { list, n, cell }) : []),
    /** What fails where a list held this row alone. @param {string} list @param {any} row */
    alone: (list, row) => (pack ? failedAlone(pack, { kind: doc.protocol, answers, context: judge.context }, { list, row }) : []),
    /** How an unclear clause of a rule was read. @param {string} rule @returns {string | undefined} */
    reading: (rule) => /** @type {any} */ (pack?.data.rules.find((one) => one.id === rule && one.kinds.includes(doc.protocol)))?.reading,
    findings: () => (pack ? evaluate(pack, { kind: doc.protocol, answers, context: judge.context }) : []),
  };
  return judge;
}

/** The fields of a form by flat name, for conditions that read one which no rule reads.
 * @param {any} protocol @param {Record<string, {accept: string[]}>} table units @returns {Record<string, any>} */
function specsOf(protocol, table) {
  /** @param {any} field @returns {any} */
  const spec = (field) => ({
    type: field.type,
    ...(field.unit ? { unit: field.unit, accept: Object.keys(table).filter((row) => table[row].accept.includes(field.unit)) } : {}),
    ...(field.choices ? { choices: field.choices } : {}),
    ...(field.row ? { of: Object.fromEntries(field.row.map((/** @type {any} */ cell) => [cell.field, spec(cell)])) } : {}),
  });
  const groups = (protocol?.sections ?? []).flatMap((/** @type {any} */ section) => section.groups ?? []);
  return Object.fromEntries(groups.flatMap((/** @type {any} */ group) => (group.fields
    ?? []).map((/** @type {any} */ field) => [field.field, spec(field)])));
}
