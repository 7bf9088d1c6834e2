/** Other visits of the same place, as this tablet holds them. */
import { answersOf } from "../store/answers.js";
import { carried } from "../store/carrying.js";
import { CARDS, sorted } from "./findings.js";
import { makeJudge } from "./judge.js";

/**
 * The visit before this one, judged as on the day it was handed in; null where there is none or this tablet does not hold it.
 * @param {any} app @param {any} doc @param {any} reference
 */
export async function earlierVisit(app, doc, reference) {
  const view = doc.parent_record ? await app.store.inspection(doc.parent_record) : null;
  if (!view) return null;
  const at = new Date(view.doc.submitted?.at ?? app.now());
  const assignment = view.doc.assignment_id ? await app.store.assignment(view.doc.assignment_id) : null;
  const judge = makeJudge({ view, reference, assignment, now: () => at, clockOffsetMs: () => 0 });
  const answers = answersOf(view.doc);
  judge.look(answers, view.doc);
  const newest = await app.store.form(doc.protocol, doc.protocol_version);
  return { id: view.id, doc: view.doc, at, answers, protocol: view.protocol, first: !view.doc.parent_record,
    findings: sorted(judge.findings().filter((f) => CARDS.includes(f.outcome))), carried: carried(newest, view.doc.groups) };
}

/** Records that visited the place of this one again. @param {any} app @param {string} id */
export const laterVisits = async (app, id) => (await app.store.inspections()).filter((/** @type {any} */ one) => one.parent_record === id);
