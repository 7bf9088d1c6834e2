/** Search of what this tablet holds: visits and assignments, without a signal, however many there are. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { icon } from "../fields/icons.js";
import { say } from "../fields/say.js";
import { t } from "../words.js";
import { found, indexed } from "./find.js";
import { header, home } from "./frame.js";
import { jobRow, kindName, visitRow } from "./lines.js";
import { LongList } from "./long_list.js";
import { planned } from "./planned.js";

/** What was searched for is there again when one comes back from a visit. */
let last = "";

/** @param {any} app */
export async function open(app) {
  const here = { asked: last, index: /** @type {any[]} */ ([]), found: /** @type {any[]} */ ([]), told: "", list: new LongList(() => app.render()) };
  const load = async () => {
    const { assignments, inspections } = await app.store.day();
    const visits = inspections.sort((/** @type {any} */ a, /** @type {any} */ b) => (a.id < b.id ? 1 : -1));
    here.index = [
      ...indexed(planned(assignments), (job) => [kindName(job), job.permit_no, job.place, job.note, t.find.assigned, ...named(job.prefill)]),
      ...indexed(visits, (/** @type {any} */ one) => [one.number, one.permit_no, one.place, ...one.refs, say(one.title), t.today.states[/** @type {"draft"} */ (one.state)]]),
    ];
    look(here);
  };
  await load();
  return { draw: () => html`${header(app, { title: t.places.search, sub: app.person?.name ?? "", back: { href: "#/", to: t.places.today } })}${home(app, "search", content(app, here))}`,
    title: t.places.search, changed: load };
}

/** Manholes and the like among what the office has filled in beforehand. @param {any} prefill @returns {string[]} */
const named = (prefill) => Object.values(prefill ?? {}).flatMap((values) => Object.values(/** @type {any} */ (values))).filter((value) => typeof value === "string");

/** @param {any} here */
function look(here) {
  here.found = found(here.index, here.asked);
}

/** @param {any} app @param {any} here */
function content(app, here) {
  const ask = (/** @type {any} */ event) => {
    here.asked = event.target.value;
    last = here.asked;
    here.list.from = 0;
    look(here);
    app.render();
  };
  const n = here.found.length;
  return html`<h1 class="sr">${t.places.search}</h1>
    <div class="field"><label for="find">${t.find.label}</label><p class="hint" id="find-h">${t.find.hint}</p>
      <input class="txt" id="find" type="search" autocomplete="off" spellcheck="false" aria-describedby="find-h" .value=${here.asked} @input=${ask}></div>
    <p class="meta" role="status" id="found">${here.index.length ? (n ? t.find.found(n, here.index.length) : t.find.none(here.asked)) : t.find.empty}</p>
    ${here.told ? html`<p class="told" role="alert">${icon("i-bad", "s")}${here.told}</p>` : nothing}
    ${here.list.show(here.found, (/** @type {any} */ one) => ("due_at" in one ? jobRow(app, one, here) : visitRow(one)), (/** @type {any} */ one) => one.id)}`;
}
