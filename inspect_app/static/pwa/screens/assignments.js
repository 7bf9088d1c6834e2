/** Today: is the tablet ready, what is next, what was begun, and a visit nobody planned. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { dayWords, wallClock } from "../fields/moments.js";
import { icon, kindIcon, outcomeIcon, unbroken } from "../fields/icons.js";
import { say } from "../fields/say.js";
import { t } from "../words.js";
import { header, home, noOffline } from "./frame.js";
import { sentence } from "./visit.js";

/** @param {any} app */
export async function open(app) {
  const here = { assignments: [], visits: [], first: null, unplanned: null, told: "" };
  const load = async (/** @type {Promise<any>} */ reading) => {
    const { assignments, inspections, first } = await reading;
    here.first = first;
    here.assignments = assignments;
    here.visits = inspections;
    app.visits = planned(assignments).length;
  };
  await load(app.early ?? app.store.day());
  return { draw: () => draw(app, here), title: t.places.today, changed: () => load(app.store.day()) };
}

/** Assignments that nobody has begun, the earliest first. @param {any[]} assignments */
export const planned = (assignments) => assignments.filter((one) => !one.record_id && one.state !== "done"
  && one.state !== "cancelled").sort((a, b) => String(a.due_at ?? "9").localeCompare(String(b.due_at ?? "9")));

/** @param {any} app @param {any} here */
function draw(app, here) {
  const day = wallClock(app.now(), app.timezone).day;
  const list = planned(here.assignments);
  const [next, ...later] = list;
  const visits = [...here.visits].sort((a, b) => (a.id < b.id ? 1 : -1));
  const begun = visits.filter((one) => ["draft", "returned"].includes(one.state));
  const handedIn = visits.filter((one) => !begun.includes(one));
  return html`${header(app, { title: html`<i class="wide-only">${dayWords(day, t.language)}</i><i class="narrow-only">${dayWords(day, t.language, "short")}</i>`,
    sub: html`<i class="wide-only">${app.villageName}${app.person ? `, ${app.person.name}` : ""}</i><i class="narrow-only">${app.citedAs}</i>` })}
    ${home(app, "today", html`<h1 class="sr">${t.places.today}</h1>
      ${readiness(app, here.first)}
      ${here.first ? nothing : next ? nextUp(app, next, here) : html`<p class="meta">${t.today.none} ${t.today.noneMore}</p>`}
      ${here.told ? html`<p class="told" role="alert">${icon("i-bad", "s")}${here.told}</p>` : nothing}
      ${begun.length ? html`<section class="sect" aria-labelledby="begun-h"><h2 id="begun-h">${t.today.begun}</h2><ul class="jobs">${begun.map((visit) => visitRow(visit))}</ul></section>` : nothing}
      ${later.length ? html`<section class="sect" aria-labelledby="later-h"><h2 id="later-h">${t.today.later}</h2><ul class="jobs">${later.map((job) => jobRow(app, job, here))}</ul></section>` : nothing}
      ${handedIn.length ? html`<section class="sect"
        aria-labelledby="in-h"><h2 id="in-h">${t.today.handedIn}</h2><ul class="jobs">${handedIn.map((visit) => visitRow(visit))}</ul></section>` : nothing}
      ${here.unplanned ? unplanned(app, here) : html`<div class="btnrow"><button class="btn" type="button" id="unplanned"
        @click=${() => { here.unplanned = { protocol: "", place: "", permit_no: "",
          problem: "" }; app.render(); app.focus("new-protocol"); }}>${icon("i-plus")}${t.today.unplanned}</button>
        <a class="quiet" href="#/practice">${t.practice.title}</a></div>`}`)}`;
}

/** Whether this tablet could go out of reach now. @param {any} app @param {{done: number, of: number} | null} first */
function readiness(app, first) {
  const problem = app.status?.loss ?? app.status?.capture_refusal;
  if (problem) return html`<p class="told" role="alert" id="ready" data-ready="no">${icon("i-bad")}<span>${problem}</span></p>`;
  if (app.noOffline) return noOffline(app);
  if (first) {
    const part = first.of ? Math.min(99, Math.floor((100 * first.done) / first.of)) : 0;
    return html`<div class="ready wait" id="ready" data-ready="no">${icon("i-clock")}<span><b>${t.today.first(`${part} %`)}</b> ${t.today.firstMore}</span>
      <svg class="meter" role="progressbar" aria-label=${t.today.first(`${part} %`)} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${part} viewBox="0 0 100 10" preserveAspectRatio="none"><rect width=${part} height="10"/></svg></div>`;
  }
  return app.ready
    ? html`<p class="ready" id="ready" data-ready="yes">${outcomeIcon("pass")}<span><b>${t.today.ready}</b> ${t.today.readyMore(app.villageName)}</span></p>`
    : html`<p class="ready wait" id="ready" data-ready="no">${icon("i-clock")}<span><b>${t.today.notReady}</b> ${t.today.notReadyMore}</span></p>`;
}

/** @param {any} app @param {any} job */
function when(app, job) {
  if (!job.due_at) return { time: "", day: t.today.noTime };
  const wall = wallClock(new Date(job.due_at), app.timezone);
  const today = wallClock(app.now(), app.timezone).day === wall.day;
  return { time: wall.time, day: today ? "" : dayWords(wall.day, t.language, "short") };
}

/** @param {any} job */
const kindName = (job) => t.kinds[/** @type {"tap"} */ (job.protocol)] ?? job.protocol;

/** @param {any} app @param {any} job @param {any} here */
function nextUp(app, job, here) {
  const { time, day } = when(app, job);
  return html`<section class="nextup plain" aria-labelledby="next-h" data-assignment=${job.id}><div class="side">${kindIcon(job.protocol)}</div><div class="in">
    <p class="when"><b>${time || day}</b>${time && day ? html`<span class="meta">${day}</span>` : nothing}</p>
    <h2 id="next-h">${kindName(job)}, ${unbroken(job.place)}</h2>
    <dl class="facts">${job.permit_no ? html`<dt>${t.today.facts.permit}</dt><dd class="nb">${job.permit_no}</dd>` : nothing}${job.note
      ? html`<dt>${t.today.facts.note}</dt><dd>${job.note}</dd>` : nothing}</dl>
    <button class="btn go wide" type="button" @click=${() => begin(app, here,
      { assignment: job.id })}>${t.today.start(kindName(job))}${icon("i-next")}</button></div></section>`;
}

/** @param {any} app @param {any} job @param {any} here */
function jobRow(app, job, here) {
  const { time, day } = when(app, job);
  return html`<li data-assignment=${job.id}><button type="button" class="job"
    @click=${() => begin(app, here, { assignment: job.id })}>${kindIcon(job.protocol)}
    <span><b>${kindName(job)}, ${unbroken(job.place)}</b><span class="meta">${[job.permit_no, job.parent_record && t.today.second,
      job.note].filter(Boolean).join(". ")}</span></span>
    <span class="t">${time ? html`${day || time}${day ? html`<span class="meta">${time}</span>` : nothing}`
      : html`<span class="meta">${day}</span>`}</span></button></li>`;
}

/** @param {any} visit */
function visitRow(visit) {
  const state = t.today.states[/** @type {"draft"} */ (visit.state)] ?? visit.state;
  return html`<li data-visit=${visit.id} data-state=${visit.state}><a class="job" href="#/visit/${visit.id}">${kindIcon(visit.protocol)}
    <span><b>${say(visit.title)}${visit.place ? html`, ${unbroken(visit.place)}` : ""}</b><span class="meta">${[visit.number ?? visit.permit_no,
      t.today.waiting(visit.waiting)].filter(Boolean).join(", ")}</span></span>
    <span class="t">${state}</span></a></li>`;
}

/** @param {any} app @param {any} here @param {any} what */
async function begin(app, here, what) {
  try {
    const id = await app.store.begin(what);
    app.go(`#/visit/${id}`);
  } catch (problem) {
    here.told = sentence(problem) || t.errors.generic;
    app.render();
  }
}

/** @param {any} app @param {any} here */
function unplanned(app, here) {
  const form = here.unplanned;
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    form.problem = !form.protocol ? t.today.kindMissing : !form.place.trim() ? t.today.placeMissing : "";
    if (form.problem) return app.render();
    begin(app, here, { protocol: form.protocol, place: form.place.trim(), permit_no: form.permit_no.trim() });
  };
  return html`<form class="editor" aria-labelledby="new-h" @submit=${start} novalidate><h2 id="new-h">${t.today.unplanned}</h2>
    <fieldset class="field" id="new-protocol" data-field="protocol"><legend class="lab">${t.today.what}</legend><div class="choice rows">${(app.reference?.protocols ?? []).map((/** @type {any} */ p) => html`
      <label class="opt"><input class="sr" type="radio" name="new-protocol" value=${p.protocol} .checked=${form.protocol === p.protocol}
        @change=${() => { form.protocol = p.protocol; app.render(); }}>${icon("i-check")}<span>${say(p.title)}</span></label>`)}</div></fieldset>
    <div class="field" data-field="place"><label for="new-place">${t.today.where}</label><input class="txt" id="new-place" type="text" autocomplete="off" @input=${(/** @type {any} */ e) => { form.place = e.target.value; }}></div>
    <div class="field" data-field="permit_no"><label for="new-permit">${t.today.permit}</label><input class="txt" id="new-permit" type="text" autocomplete="off" @input=${(/** @type {any} */ e) => { form.permit_no = e.target.value; }}></div>
    ${form.problem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${form.problem}</p>` : nothing}
    <div class="btnrow"><button class="btn go" type="submit">${t.today.begin}</button><button class="btn" type="button"
      @click=${() => { here.unplanned = null; app.render(); }}>${t.today.cancel}</button></div></form>`;
}
