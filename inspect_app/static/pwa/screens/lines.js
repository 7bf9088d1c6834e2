/** An assignment or a visit as one line of a list: what, where, in which state, when, how far. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { dayWords, wallClock } from "../fields/moments.js";
import { icon, kindIcon, unbroken } from "../fields/icons.js";
import { say } from "../fields/say.js";
import { far, metresBetween, spotOf } from "../place/distance.js";
import { t } from "../words.js";
import { sentence } from "./visit.js";

/** @param {any} job */
export const kindName = (job) => t.kinds[/** @type {"tap"} */ (job.protocol)] ?? job.protocol;

/** @param {any} app @param {any} job */
export function when(app, job) {
  if (!job.due_at) return { time: "", day: t.today.noTime };
  const wall = wallClock(new Date(job.due_at), app.timezone);
  const today = wallClock(app.now(), app.timezone).day === wall.day;
  return { time: wall.time, day: today ? "" : dayWords(wall.day, t.language, "short") };
}

/** How far it is from where the tablet was asked for; empty where either is not known. @param {any} here @param {any} one */
export function howFar(here, one) {
  const spot = spotOf(one);
  return here.from && spot ? far(metresBetween(here.from, spot)) : "";
}

/** @param {any} app @param {any} job @param {any} here */
export function jobRow(app, job, here) {
  const { time, day } = when(app, job);
  const meta = [day && time, howFar(here, job)].filter(Boolean).join(", ");
  return html`<li data-assignment=${job.id} class=${spotOf(job) ? "pinned" : ""}><button type="button" class="job"
    @click=${() => begin(app, here, { assignment: job.id })}>${kindIcon(job.protocol)}
    <span><b>${kindName(job)}, ${unbroken(job.place)}</b><span class="meta">${[job.permit_no, job.parent_record && t.today.second,
      job.note].filter(Boolean).join(". ")}</span></span>
    <span class="t">${time ? day || time : ""}${meta || !time ? html`<span class="meta">${[!time && day, meta].filter(Boolean).join(", ")}</span>` : nothing}</span></button>
    ${spotOf(job) ? html`<a class="sq pin" href="#/map/${job.id}">${icon("i-pin")}<span class="sr">${t.map.show(job.place)}</span></a>` : nothing}</li>`;
}

/** @param {any} visit */
export function visitRow(visit) {
  const state = t.today.states[/** @type {"draft"} */ (visit.state)] ?? visit.state;
  return html`<li data-visit=${visit.id} data-state=${visit.state}><a class="job" href="#/visit/${visit.id}">${kindIcon(visit.protocol)}
    <span><b>${say(visit.title)}${visit.place ? html`, ${unbroken(visit.place)}` : ""}</b><span class="meta">${[visit.number ?? visit.permit_no,
      t.today.waiting(visit.waiting)].filter(Boolean).join(", ")}</span></span>
    <span class="t">${state}</span></a></li>`;
}

/** @param {any} app @param {any} here @param {any} what */
export async function begin(app, here, what) {
  try {
    const id = await app.store.begin(what);
    app.go(`#/visit/${id}`);
  } catch (problem) {
    here.told = sentence(problem) || t.errors.generic;
    app.render();
  }
}
