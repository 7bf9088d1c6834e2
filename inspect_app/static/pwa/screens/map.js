/** The village's map: assignments on it, the plain drawing or the full one, and keeping it on this tablet. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { keyed } from "../../vendor/lit-html/directives/keyed.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import { icon } from "../fields/icons.js";
import { spotOf } from "../place/distance.js";
import { LEAST_FREE } from "../store/status.js";
import { t } from "../words.js";
import { bytesText, header, home } from "./frame.js";
import { jobRow, kindName } from "./lines.js";
import { canDraw, dropMap, keepMap, mapData } from "./map_data.js";
import { planned } from "./planned.js";
import { Schematic } from "./schematic.js";
import { sentence } from "./visit.js";

/** Which of the two was looked at last; and where the tablet said it was. */
let wantsFull = true;
/** @type {{lat: number, lon: number} | null} */
let from = null;

/** @param {any} app @param {string} [id] of an assignment, which is shown in the middle */
export async function open(app, id = "") {
  const here = { chosen: id, data: await mapData(app), jobs: /** @type {any[]} */ ([]), may: false, coming: /** @type {any} */ (null), told: "", pins: /** @type {any[]} */ ([]), gl: /** @type {any} */ (null),
    choose: (/** @type {string} */ one) => { here.chosen = one; app.render(); }, get from() { return from; },
    /** Always the same, or the map would be opened anew at every drawing. @param {Element | undefined} element */
    hold: (element) => glMap(app, here, /** @type {HTMLElement | undefined} */ (element)) };
  const plan = new Schematic({ ...here.data, changed: () => app.render() });
  const load = async () => { here.jobs = planned((await app.store.day()).assignments); };
  await load();
  plan.fit(spots(here), 3);
  here.may = here.data.shapes.length > 0 && await canDraw(Boolean(app.status?.online));
  return { draw: () => html`${header(app, { title: t.places.map, sub: app.villageName, back: { href: "#/", to: t.places.today } })}${home(app, "map", content(app, here, plan))}`,
    title: t.places.map, changed: load };
}

/** What is to be seen first: the chosen one, or all. @param {any} here */
const spots = (here) => (here.jobs.filter((/** @type {any} */ job) => !here.chosen || job.id === here.chosen).map(spotOf).filter(Boolean));

/** @param {any} app @param {any} here @param {Schematic} plan */
function content(app, here, plan) {
  const pins = here.pins = here.jobs.filter(spotOf).map((/** @type {any} */ job) => ({ ...spotOf(job), id: job.id, name: `${kindName(job)}, ${job.place}` }));
  const job = here.jobs.find((/** @type {any} */ one) => one.id === here.chosen);
  const label = t.map.name(app.villageName, pins.length);
  const full = here.may && wantsFull;
  mark(here);
  return html`<h1 class="sr">${t.places.map}</h1>
    ${here.may ? html`<fieldset class="field"><legend class="sr">${t.map.which}</legend><div class="choice">${[true, false].map((one) => html`<label class="opt"><input class="sr" type="radio" name="which"
      .checked=${wantsFull === one} @change=${() => { wantsFull = one; app.render(); }}>${icon("i-check")}<span>${one ? t.map.full : t.map.plain}</span></label>`)}</div></fieldset>` : nothing}
    ${full ? keyed(app.prefers.theme, html`<div class="mapbox gl" role="region" aria-label=${label} ${ref(here.hold)}></div>`)
      : plan.draw({ pins, chosen: here.chosen, point: from, label, pressed: () => here.choose(""), choose: here.choose })}
    ${here.data.shapes.length ? nothing : html`<p class="meta">${(app.reference?.maps ?? []).length ? t.map.away : t.map.none}</p>`}
    ${job ? html`<ul class="jobs" id="chosen">${jobRow(app, job, here)}</ul>` : nothing}
    ${here.told ? html`<p class="told" role="alert">${icon("i-bad", "s")}${here.told}</p>` : nothing}
    <div class="btnrow"><button class="btn" type="button" @click=${() => whereAmI(app, here, plan)}>${icon("i-pin")}${t.map.mine}</button></div>
    ${keeping(app, here)}
    ${here.jobs.length ? html`<section class="sect" aria-labelledby="map-l"><h2 id="map-l">${t.map.listed}</h2><ul class="jobs">${here.jobs.map((/** @type {any} */ one) => jobRow(app, one, here))}</ul></section>` : nothing}`;
}

/** @param {any} app @param {any} here @param {Schematic} plan */
async function whereAmI(app, here, plan) {
  here.told = "";
  try {
    const { lat, lon } = await app.position();
    from = { lat, lon };
    plan.fit([...spots(here), from], 3);
    here.gl?.show(from);
  } catch (problem) { here.told = /** @type {any} */ (problem)?.kind === "denied" ? t.place.refused : t.place.missing; }
  app.render();
}

/** Opens the full map in its element, and closes it when the element goes. @param {any} app @param {any} here @param {HTMLElement | undefined} element */
async function glMap(app, here, element) {
  here.element = element;
  here.gl?.close();
  here.gl = here.marked = null;
  if (!element) return;
  try {
    const { openGlMap } = await import("./gl_map.js");
    const basemap = (app.reference?.maps ?? []).find((/** @type {any} */ one) => one.name === "basemap");
    const box = here.data.shapes.reduce((/** @type {number[]} */ all, /** @type {any} */ { box: b }) => [Math.min(all[0], b[0]), Math.min(all[1], b[1]), Math.max(all[2], b[2]), Math.max(all[3], b[3])], [Infinity, Infinity, -Infinity, -Infinity]);
    const [low, high] = [here.data.plane.from(box[0], box[1]), here.data.plane.from(box[2], box[3])];
    const map = await openGlMap(element, {
      layers: here.data.layers, basemap: basemap && here.data.state.whole.includes("basemap") ? await app.maps.blob(basemap) : null,
      bounds: [low.lon, low.lat, high.lon, high.lat], words: { more: t.map.more, less: t.map.less, title: t.places.map },
      structure: (name) => Object.assign(document.createElement("span"), { className: "mapname", textContent: name }), pressed: () => here.choose(""),
    });
    if (here.element !== element) { map.close(); return; }
    here.gl = map;
    mark(here);
    const [spot] = here.chosen ? spots(here) : [];
    if (spot) map.show(spot);
  } catch (problem) {
    console.error(problem);
    here.may = false;
    here.told = t.map.noFull;
    app.render();
  }
}

/** Puts the assignments onto the full map, where that has changed. @param {any} here */
function mark(here) {
  const { pins, choose } = here;
  const now = JSON.stringify([pins, here.chosen, from]);
  if (!here.gl || here.marked === now) return;
  here.marked = now;
  for (const old of here.marks ?? []) old.remove();
  here.marks = pins.map((pin) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: `mapmark ${pin.id === here.chosen ? "now" : ""}`, title: pin.name, onclick: (/** @type {Event} */ event) => { event.stopPropagation(); choose(pin.id); } });
    button.setAttribute("aria-label", pin.name);
    return here.gl.put(button, pin);
  });
  if (from) here.marks.push(here.gl.put(Object.assign(document.createElement("span"), { className: "mapmark me" }), from));
}

/** Opens this screen anew, with what is on the tablet now. */
const reopen = () => dispatchEvent(new HashChangeEvent("hashchange"));

/** @param {any} app @param {any} here */
function keeping(app, here) {
  const listed = app.reference?.maps ?? [];
  const { state, coming } = { state: here.data.state, coming: here.coming };
  if (!listed.length) return nothing;
  const again = async () => { here.data = await mapData(app); app.render(); };
  const keep = async () => {
    const [need, free] = [state.of - state.done, app.status?.quota_free];
    if (typeof free === "number" && free - need < LEAST_FREE) { here.told = t.map.noRoom(bytesText(need), bytesText(free)); app.render(); return; }
    const stop = new AbortController();
    here.coming = { done: state.done, of: state.of, stop };
    here.told = "";
    app.render();
    try {
      await keepMap(app, (bytes, more = 0) => { here.coming.done += bytes; here.coming.of += more; app.render(); }, stop.signal);
    } catch (problem) { here.told = `${app.isOffline(problem) ? "" : sentence(problem)} ${t.map.broke}`.trim(); }
    here.coming = null;
    if (here.told || stop.signal.aborted) await again();
    else reopen();
  };
  return html`<section class="sect" aria-labelledby="map-k"><h2 id="map-k">${t.map.title}</h2>
    ${coming ? html`<p role="status" id="coming">${t.map.coming(bytesText(coming.done), bytesText(coming.of))}</p>
        <svg class="meter" role="progressbar" aria-label=${t.map.title} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.floor((100 * coming.done) / coming.of)} viewBox="0 0 100 10" preserveAspectRatio="none"><rect width=${(100 * coming.done) / coming.of} height="10"/></svg>
        <div class="btnrow"><button class="btn" type="button" @click=${() => coming.stop.abort()}>${t.map.stop}</button></div>`
      : state.done < state.of ? html`<p class="meta">${t.map.keepWhy} ${state.done ? t.map.part(bytesText(state.done), bytesText(state.of)) : ""}</p>
        <div class="btnrow"><button class="btn" type="button" id="keep-map" @click=${keep}>${icon("i-file")}${t.map.keep(bytesText(state.of - state.done))}</button></div>`
        : html`<p class="meta" id="map-kept">${t.map.kept(bytesText(state.of))}</p>
        <div class="btnrow"><button class="btn" type="button" @click=${async () => { await dropMap(app); reopen(); }}>${t.map.drop}</button></div>`}</section>`;
}
