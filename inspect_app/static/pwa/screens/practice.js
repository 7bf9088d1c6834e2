/** Practice: visits that are never sent, kept apart from the real ones, and thrown away with one press. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { icon, kindIcon } from "../fields/icons.js";
import { say } from "../fields/say.js";
import { t } from "../words.js";
import { header, home } from "./frame.js";
import { sentence } from "./visit.js";

/** @param {any} app whose store is that of practice */
export async function open(app) {
  const here = { visits: [], told: "" };
  const load = async () => { here.visits = await app.store.inspections(); };
  await load();
  return { draw: () => html`${header(app, { title: t.practice.title, sub: app.person?.name ?? "", back: { href: "#/", to: t.places.today } })}${home(app, "", content(app, here))}`,
    title: t.practice.title, changed: load };
}

/** @param {any} app @param {any} here */
function content(app, here) {
  const begin = async (/** @type {string} */ protocol) => {
    try {
      app.go(`#/visit/${await app.store.begin({ protocol, place: t.practice.place })}`);
    } catch (problem) {
      here.told = sentence(problem) || t.errors.generic;
      app.render();
    }
  };
  return html`<div class="hero"><h1>${t.practice.title}</h1><p>${t.practice.lead}</p></div>
    ${here.told ? html`<p class="told" role="alert">${icon("i-bad", "s")}${here.told}</p>` : nothing}
    <ul class="jobs">${(app.reference?.protocols ?? []).map((/** @type {any} */ form) => html`<li><button type="button" class="job" data-practise=${form.protocol}
      @click=${() => begin(form.protocol)}>${kindIcon(form.protocol)}<b>${t.practice.start(say(form.title))}</b>${icon("i-next")}</button></li>`)}</ul>
    ${here.visits.length ? html`<section class="sect" aria-labelledby="pr-h"><h2 id="pr-h">${t.practice.begun}</h2>
      <ul class="jobs">${here.visits.map((/** @type {any} */ visit) => html`<li><a class="job" href="#/visit/${visit.id}">${kindIcon(visit.protocol)}<b>${say(visit.title)}</b>${icon("i-next")}</a></li>`)}</ul>
      <div class="btnrow">${discard(app)}</div></section>` : nothing}`;
}

/** What stands over a practice visit, and the word across it. @param {any} app */
export const practiceBar = (app) => html`<div class="practice" data-mark=${t.practice.mark}><p class="lab">${t.practice.bar}</p>${discard(app)}</div>`;

/** @param {any} app */
const discard = (app) => html`<button class="btn" type="button" data-discard @click=${async () => {
  app.visit?.close();
  app.visit = null;
  await (await app.practice()).discard();
  app.go("#/practice");
  app.render();
}}>${t.practice.discard}</button>`;
