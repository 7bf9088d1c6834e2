/** The tablet's settings, who uses it, and whether it may go out of reach. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { icon } from "../fields/icons.js";
import { say } from "../fields/say.js";
import { t } from "../words.js";
import { header, home } from "./frame.js";
import { signInForm } from "./people.js";

/** @param {any} app */
export async function open(app) {
  const here = { name: "", password: "", problem: "", busy: false, leaving: false, others: await app.people() };
  return { draw: () => html`${header(app, { title: t.settings.title, sub: app.person?.name ?? "", back: { href: "#/", to: t.places.today } })}${home(app, "settings", content(app, here))}`, title: () => t.settings.title };
}

/** @param {any} app @param {any} here */
function content(app, here) {
  const facts = /** @type {[string, any][]} */ ([
    [t.settings.person, app.person?.name], [t.settings.village, app.villageName], [t.settings.offlineReady,
      app.ready ? t.settings.yes : t.settings.no],
    [t.settings.storage, app.status?.persisted ? t.settings.protected : t.settings.unprotected], [t.settings.pack,
      app.reference?.pack?.slice(0, 6)],
    [t.settings.forms, app.reference?.protocols?.length && app.reference.protocols.map((/** @type {any} */ p) => html`<a class="part" href="#/blank/${p.protocol}">${t.settings.form(say(p.title), p.version)}<span class="sr">, ${t.paper.blank}</span></a>`)],
      [t.settings.version, app.version],
  ]);
  return html`<h1 class="sr">${t.settings.title}</h1>
    ${app.status?.reason_kind === "sign_in" ? signInForm(app, here, { title: t.signIn.title, why: t.signIn.why }) : nothing}
    ${choice(t.settings.speech, "language", Object.entries(t.settings.languages), app.prefers.language, (value) => app.speak(value))}
    ${choice(t.settings.display, "theme", Object.entries(t.settings.themes), app.prefers.theme, (value) => app.prefer({ theme: value }))}
    ${choice(t.settings.keys, "keys", [["pad", t.settings.pad], ["keyboard", t.settings.keyboard]], app.prefers.pad ? "pad" : "keyboard",
      (value) => app.prefer({ pad: value === "pad" }))}
    ${choice(t.settings.hand, "hand", [["right", t.settings.right], ["left", t.settings.left]], app.prefers.hand,
      (value) => app.prefer({ hand: value }))}
    ${choice(t.settings.originals, "originals", [["any", t.settings.anyLine], ["held", app.knowsLine ? t.settings.wifi : t.settings.press]],
      app.prefers.originals, (value) => app.prefer({ originals: value }))}<p class="meta">${t.settings.previews}</p>
    ${choice(t.settings.receiver, "receiver", [["own", t.settings.own], ["outside", t.settings.outside]], app.prefers.receiver,
      (value) => app.prefer({ receiver: value }))}
    ${person(app, here)}
    <section class="sect" aria-labelledby="tab-h"><h2 id="tab-h">${t.settings.tablet}</h2><dl class="facts">${facts.filter(([, value]) => value).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
      <div class="btnrow"><a class="btn" href="#/welcome">${t.welcome.title}</a><a class="btn" href="#/practice">${t.practice.title}</a></div></section>`;
}

/**
 * @param {string} label
 * @param {string} name
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} set
 */
function choice(label, name, options, chosen, set) {
  return html`<fieldset class="field" id="set-${name}" data-field=${name}><legend class="lab">${label}</legend><div class="choice of-${options.length}">${options.map(([value, word]) => html`
    <label class="opt"><input class="sr" type="radio" name="set-${name}" value=${value} .checked=${value === chosen}
      @change=${() => set(value)}>${icon("i-check")}<span lang=${name === "language" ? value : nothing}>${word}</span></label>`)}</div></fieldset>`;
}

/** Who is signed in, and the way out for the next one. @param {any} app @param {any} here */
function person(app, here) {
  const { waiting = 0, photos_waiting = 0 } = app.status ?? {};
  const ask = (/** @type {boolean} */ on) => { here.leaving = on; app.render(); };
  const known = here.others.some((/** @type {any} */ one) => one.id === app.person?.id);
  return html`<section class="sect" aria-labelledby="who-h"><h2 id="who-h">${t.people.here}</h2>
    <p><b>${app.person?.name}</b></p>
    ${here.leaving
      ? html`<p class="meta">${t.people.stays(waiting + photos_waiting)} ${known ? t.people.back : t.people.backOnline}</p>
        <div class="btnrow"><button class="btn go" type="button" id="sign-out" @click=${() => app.signOut()}>${t.people.leave}</button>
          <button class="btn" type="button" @click=${() => ask(false)}>${t.people.stay}</button></div>`
      : html`<div class="btnrow"><button class="btn" type="button" id="leave" @click=${() => { ask(true); app.focus("sign-out"); }}>${icon("i-person")}${t.people.leave}</button></div>`}</section>`;
}
