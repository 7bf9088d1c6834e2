/** Today: is the tablet ready, what is next, what was begun, and a visit nobody planned. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { dayWords, wallClock } from "../fields/moments.js";
import { icon, kindIcon, outcomeIcon, unbroken } from "../fields/icons.js";
import { say } from "../fields/say.js";
import { spotOf } from "../place/distance.js";
import { t } from "../words.js";
import { header, home, noOffline } from "./frame.js";
import { begin, howFar, jobRow, kindName, visitRow, when } from "./lines.js";
import { byDistance, planned } from "./planned.js";

/** Handed-in visits that stand here; search has all of them. */
const MOST_HANDED_IN = 12;
/** After this the plan is drawn: by then the first list is on the screen of a slow tablet. */
const PLAN_AFTER_MS = 400;

/** Where the tablet was when it was last asked; it is asked on a press only. @type {{lat: number, lon: number} | null} */
let from = null;
let nearestFirst = false;

/** @param {any} app */
export async function open(app) {
  const here = { assignments: [], visits: [], first: null, plan: null, unplanned: null, told: "", asking: false, get from() { return from; } };
  const load = async (/** @type {Promise<any>} */ reading) => {
    const { assignments, inspections, first } = await reading;
    here.first = first;
    here.assignments = assignments;
    here.visits = inspections;
    app.visits = planned(assignments).length;
  };
  await load(app.early ?? app.store.day());
  if (app.reference?.maps?.length) setTimeout(() => drawPlan(app, here), PLAN_AFTER_MS);
  return { draw: () => draw(app, here), title: t.places.today, changed: () => load(app.store.day()) };
}

/** The plan comes to the next visit where the map is on this tablet; the list does not wait for it. @param {any} app @param {any} here */
async function drawPlan(app, here) {
  const [{ mapData }, { Schematic }] = await Promise.all([import("./map_data.js"), import("./schematic.js")]);
  const data = await mapData(app);
  if (data.shapes.length) here.plan = new Schematic({ ...data, changed: () => undefined });
  app.render();
}

/** @param {any} app @param {any} here */
function draw(app, here) {
  const day = wallClock(app.now(), app.timezone).day;
  const list = nearestFirst && from ? byDistance(planned(here.assignments), from) : planned(here.assignments);
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
      ${list.length > 1 ? order(app, here) : nothing}
      ${begun.length ? html`<section class="sect" aria-labelledby="begun-h"><h2 id="begun-h">${t.today.begun}</h2><ul class="jobs">${begun.slice(0, MOST_HANDED_IN).map((visit) => visitRow(visit))}</ul>${begun.length > MOST_HANDED_IN ? all(begun.length) : nothing}</section>` : nothing}
      ${later.length ? html`<section class="sect" aria-labelledby="later-h"><h2 id="later-h">${nearestFirst && from ? t.today.further : t.today.later}</h2><ul class="jobs">${later.map((job) => jobRow(app, job, here))}</ul></section>` : nothing}
      ${handedIn.length ? html`<section class="sect" aria-labelledby="in-h"><h2 id="in-h">${t.today.handedIn}</h2><ul class="jobs">${handedIn.slice(0, MOST_HANDED_IN).map((visit) => visitRow(visit))}</ul>
        ${handedIn.length > MOST_HANDED_IN ? all(handedIn.length) : nothing}</section>` : nothing}
      ${here.unplanned ? unplanned(app, here) : html`<div class="btnrow"><button class="btn" type="button" id="unplanned"
        @click=${() => { here.unplanned = { protocol: "", place: "", permit_no: "",
          problem: "" }; app.render(); app.focus("new-protocol"); }}>${icon("i-plus")}${t.today.unplanned}</button>
        <a class="quiet" href="#/practice">${t.practice.title}</a></div>`}`)}`;
}

/** @param {number} n */
const all = (n) => html`<p><a href="#/search">${t.today.all(n)}</a></p>`;

/** By due date, or by the way to it: the position is asked for when somebody wants the second. @param {any} app @param {any} here */
function order(app, here) {
  const nearest = async () => {
    here.asking = true;
    here.told = "";
    app.render();
    try {
      const { lat, lon } = await app.position();
      from = { lat, lon };
      nearestFirst = true;
    } catch (problem) { here.told = /** @type {any} */ (problem)?.kind === "denied" ? t.today.noPosition : t.place.missing; }
    here.asking = false;
    app.render();
  };
  const button = (/** @type {boolean} */ on, /** @type {string} */ word, /** @type {() => void} */ go) => html`<label class="opt"><input class="sr" type="radio" name="order" .checked=${on} @change=${go}>${icon("i-check")}<span>${word}</span></label>`;
  return html`<fieldset class="field" id="order"><legend class="lab">${t.today.order}</legend><div class="choice">
    ${button(!nearestFirst, t.today.byDate, () => { nearestFirst = false; app.render(); })}${button(nearestFirst, here.asking ? t.place.finding : t.today.byDistance, nearest)}</div></fieldset>`;
}

/** Whether this tablet could go out of reach now. @param {any} app @param {{done: number, of: number} | null} first */
function readiness(app, first) {
  const problem = say(app.status?.loss ?? app.status?.capture_refusal);
  if (problem) return html`<p class="told" role="alert" id="ready" data-ready="no">${icon("i-bad")}<span>${say(problem)}</span></p>`;
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

/** @param {any} app @param {any} job @param {any} here */
function nextUp(app, job, here) {
  const { time, day } = when(app, job);
  const spot = spotOf(job);
  const beside = [time && day, howFar(here, job)].filter(Boolean).join(", ");
  return html`<section class="nextup ${here.plan && spot ? "" : "plain"}" aria-labelledby="next-h" data-assignment=${job.id}>${here.plan && spot ? here.plan.picture({ ...spot, id: job.id, name: job.place }) : html`<div class="side">${kindIcon(job.protocol)}</div>`}<div class="in">
    <p class="when"><b>${time || day}</b>${beside ? html`<span class="meta">${beside}</span>` : nothing}</p>
    <h2 id="next-h">${kindName(job)}, ${unbroken(job.place)}</h2>
    <dl class="facts">${job.permit_no ? html`<dt>${t.today.facts.permit}</dt><dd class="nb">${job.permit_no}</dd>` : nothing}${job.note
      ? html`<dt>${t.today.facts.note}</dt><dd>${job.note}</dd>` : nothing}</dl>
    <button class="btn go wide" type="button" @click=${() => begin(app, here,
      { assignment: job.id })}>${t.today.start(kindName(job))}${icon("i-next")}</button></div></section>`;
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
