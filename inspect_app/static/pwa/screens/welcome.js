/** The first minutes of a tablet: enrol it, let it keep and see, put it on the home screen. Each step says why. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { icon } from "../fields/icons.js";
import { t } from "../words.js";
import { say } from "../fields/say.js";
import { header, noOffline, otherLanguage } from "./frame.js";
import { sentence } from "./visit.js";

/** A code as people type it: spaces and dashes do not count, look-alikes are what the alphabet means. @param {string} typed */
export function cleanCode(typed) {
  return typed.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
}

/** Length of a code as the office makes it. */
const CODE_LENGTH = 10;

/** @param {any} app @param {string} [code] from the QR code's address */
export async function open(app, code = "") {
  const isIn = app.status?.enrolled && app.status.person && app.status.reason_kind !== "enrol_again";
  const here = { step: isIn && !code ? 2 : 1, code, name: nameOfTablet(), problem: "", busy: false, camera: "", place: "",
    stored: app.status?.persisted || null };
  allowed(app, here);
  return { draw: () => html`${header(app, { title: t.app, sub: t.welcome.step(here.step) })}<div class="shell"><main id="main" tabindex="-1"><div class="content narrow">
    <div class="head"><h1>${t.welcome.title}</h1><p class="meta">${t.welcome.lead}</p></div>
    ${app.noOffline ? noOffline(app) : nothing}
    ${app.status?.loss ? html`<p class="told" role="alert" id="loss">${icon("i-bad", "s")}${say(app.status.loss)}</p>` : nothing}
    <ol class="steps3">${[enrol, keep, install].map((step, n) => html`<li class=${n + 1 === here.step ? "now" : n + 1 < here.step ? "done" : ""}
      aria-current=${n + 1 === here.step ? "step" : nothing}>${step(app, here, n + 1)}</li>`)}</ol>${otherLanguage(app)}</div></main></div>`,
        title: () => t.welcome.title };
}

/** What the person has allowed before, or in the browser's settings meanwhile, is not asked for again. @param {any} app @param {any} here */
async function allowed(app, here) {
  for (const [name, what] of /** @type {[string, "camera" | "place"][]} */ ([["camera", "camera"], ["geolocation", "place"]])) {
    const state = await navigator.permissions?.query(/** @type {any} */ ({ name })).catch(() => null); // not every browser tells
    if (state?.state === "granted") here[what] = "ok";
  }
  app.render();
}

/** To the step before, and out of here: nothing of it is lost. @param {any} app @param {any} here @param {any} go the next thing */
const ways = (app, here, go) => html`<div class="btnrow">${go}${here.step > 2 ? html`<button class="btn" type="button" @click=${() => { here.step -= 1; app.render(); }}>${t.welcome.back}</button>`
  : html`<a class="btn" href="#/">${t.welcome.skip}</a>`}</div>`;

/** @param {number} n @param {any} here @param {string} title */
const head = (n, here, title) => html`<h2><span class="n" aria-hidden="true">${n < here.step ? icon("i-check", "s") : n}</span>${title}</h2>`;

/** @param {any} app @param {any} here @param {number} n */
function enrol(app, here, n) {
  const go = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const code = cleanCode(here.code);
    here.problem = code.length === CODE_LENGTH ? "" : t.welcome.short;
    if (!here.problem) {
      here.busy = true;
      app.render();
      try {
        await app.enrol({ code, name: here.name.trim() || nameOfTablet() });
        here.step = 2;
        // The code is used up and leaves the address, unless the person went on to another screen meanwhile.
        if (location.hash.startsWith("#enrol=")) history.replaceState(null, "", "#/welcome");
      } catch (problem) {
        here.problem = app.isOffline(problem) ? t.welcome.offline : sentence(problem) || t.welcome.refused;
      }
      here.busy = false;
    }
    app.render();
    app.focus(here.problem ? "field-code" : "store-go");
  };
  // Without a protected address there is nothing to sign with: a code would only be used up.
  return html`${head(n, here, t.welcome.enrol)}${here.step === n && app.noOffline !== "insecure"
    ? html`<p>${t.welcome.enrolWhy}</p><form class="stackcol" @submit=${go} novalidate>
    <div class="field" data-field="code"><label for="field-code">${t.welcome.code}</label><p class="hint" id="code-t">${t.welcome.codeHint}</p>
      <input class="txt code" id="field-code" type="text" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false"
        aria-describedby="code-t${here.problem ? " code-m" : ""}" .value=${here.code}
        @input=${(/** @type {any} */ e) => { here.code = e.target.value; }}>
      ${here.problem ? html`<p class="told" id="code-m" role="alert">${icon("i-bad", "s")}${here.problem}</p>` : nothing}</div>
    <div class="field" data-field="name"><label for="field-name">${t.welcome.name}</label><p class="hint" id="name-t">${t.welcome.nameHint}</p><input class="txt" id="field-name" type="text" autocomplete="off" aria-describedby="name-t" .value=${here.name} @input=${(/** @type {any} */ e) => { here.name = e.target.value; }}></div>
    <button class="btn go" type="submit" ?disabled=${here.busy}>${here.busy ? t.welcome.going : t.welcome.go}</button></form>` : nothing}`;
}

/** @param {any} app @param {any} here @param {number} n */
function keep(app, here, n) {
  if (here.step !== n) return head(n, here, t.welcome.store);
  const protect = async () => { here.stored = await app.protect(); app.render(); };
  const camera = async () => {
    // Opening it once is the only way to be asked; nothing is taken.
    try { (await navigator.mediaDevices.getUserMedia({ video: true })).getTracks().forEach((track) => track.stop()); here.camera = "ok"; } catch { here.camera = "no"; }
    app.render();
  };
  const place = async () => { here.place = "asked"; app.render(); try { await app.position(); here.place = "ok"; } catch { here.place = "no"; } app.render(); };
  const answer = (/** @type {boolean} */ good, /** @type {string} */ text) => html`<p class=${good ? "ready" : "told"} role="status">${icon(good ? "i-check" : "i-bad")}<span>${text}</span></p>`;
  return html`${head(n, here, t.welcome.store)}<p>${t.welcome.storeWhy}</p>
    ${here.stored === true ? answer(true, t.welcome.stored) : html`<div class="btnrow"><button class="btn" type="button" id="store-go"
      @click=${protect}>${t.welcome.storeGo}</button></div>`}${here.stored === false ? answer(false, t.welcome.notStored) : nothing}
    <h3>${t.welcome.sense}</h3><p>${t.welcome.senseWhy}</p>
    <div class="btnrow">${here.camera === "ok" ? nothing : html`<button class="btn" type="button"
      @click=${camera}>${icon("i-camera")}${t.welcome.camera}</button>`}${here.place === "ok" ? nothing
        : html`<button class="btn" type="button"
      @click=${place}>${icon("i-pin")}${t.welcome.place}</button>`}</div>
    ${here.camera ? answer(here.camera === "ok",
      here.camera === "ok" ? t.welcome.cameraOk : t.photos.refused) : nothing}${here.place === "asked" ? html`<p class="meta" role="status">${t.place.finding}</p>`
      : here.place ? answer(here.place === "ok", here.place === "ok" ? t.welcome.placeOk : t.place.refused) : nothing}
    ${ways(app, here, html`<button class="btn go" type="button" @click=${() => { here.step = 3; app.render(); app.focus("finish"); }}>${t.nav.next(t.welcome.install)}</button>`)}`;
}

/** @param {any} app @param {any} here @param {number} n */
function install(app, here, n) {
  if (here.step !== n) return head(n, here, t.welcome.install);
  const installed = matchMedia("(display-mode: standalone)").matches || app.installed;
  return html`${head(n, here, t.welcome.install)}<p>${t.welcome.installWhy}</p>
    ${installed ? html`<p class="ready">${icon("i-check")}<span>${t.welcome.installed}</span></p>`
      : app.canInstall ? html`<div class="btnrow"><button class="btn" type="button"
        @click=${() => app.install()}>${t.welcome.installGo}</button></div>` : html`<p class="meta">${t.welcome.installBy}</p>`}
    ${ways(app, here, html`<a class="btn go" id="finish" href="#/">${t.welcome.finish}</a>`)}
    ${app.reference ? html`<p><a href="#/practice">${t.practice.link}</a></p>` : nothing}`;
}

/** A first name for the tablet that the office can tell from others. */
function nameOfTablet() {
  const system = /iPad|iPhone|Android|Windows|Mac|CrOS|Linux/.exec(navigator.userAgent)?.[0] ?? "Tablet";
  return `${system} tablet`;
}
