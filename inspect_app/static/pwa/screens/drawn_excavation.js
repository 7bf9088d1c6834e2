/** The excavation as drawn, from the fields of guards, lights and trench; what a press writes stands in sides.js. */
import { excavation as draw } from "../drawings/excavation.js";
import { plain } from "../fields/reading.js";
import { choicesOf, inputId } from "../fields/spec.js";
import { t } from "../words.js";
import { specOf } from "./asks.js";
import { readersOf, worstOf } from "./marks.js";
import { guardWrites, lampWrites, sidesOf } from "./sides.js";
import { sunset, tick } from "./sunset.js";

const GRAVE = ["violation", "warning"];
const GUARDS = ["barricades_type", "barricades_sides", "barricades_count"];
const LIGHTS = ["lights_type", "lights_lit", "lights_count"];

/** @param {any} visit a visit, or what an office page knows of one */
export function excavation(visit) {
  const { answers, findings, app } = visit;
  const shown = visit.readonly;
  const grave = (/** @type {string[]} */ fields) => GRAVE.includes(worstOf(readersOf(findings, fields)) ?? "");
  const set = (/** @type {import("./sides.js").Write[]} */ writes, /** @type {import("../drawings/parts.js").Side} */ side) => visit.setAll(writes, t.dig.sides[side]);
  if (!shown) tick(app);
  const protection = answers.protective_system;
  return draw({
    sides: sidesOf(answers),
    depth: plain(answers.depth_max, "ft"),
    protection: protection ? choicesOf(specOf(visit, "protective_system") ?? {}).find(([slug]) => slug === protection)?.[1] ?? protection : "",
    sun: shown ? null : sunset({ answers, context: visit.judge.context, now: app.now(), timezone: app.timezone }),
    open: grave(GUARDS), dark: grave(LIGHTS),
    setGuard: shown ? null : (side, guard) => set(guardWrites(answers, side, guard), side),
    setLamp: shown ? null : (side, lamp) => set(lampWrites(answers, side, lamp), side),
    go: shown ? null : (field) => app.openField(inputId(field)),
  });
}
