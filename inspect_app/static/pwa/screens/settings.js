/** The tablet's settings, who uses it, and whether it may go out of reach. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { icon } from "../fields/icons.js";
import { t } from "../words.js";
import { header, home } from "./frame.js";
import { sentence } from "./visit.js";

/** @param {any} app */
export async function open(app) {
  const here = { name: "", password: "", problem: "", busy: false };
  return { draw: () => html`${header(app, { title: t.settings.title, sub: app.person?.name ?? "", back: { href: "#/", to: t.places.today } })}${home(app, "settings", content(app, here))}`, title: t.settings.title };
}

/** @param {any} app @param {any} here */
function content(app, here) {
  const facts = /** @type {[string, any][]} */ ([
    [t.settings.person, app.person?.name], [t.settings.village, app.villageName], [t.settings.offlineReady,
      app.ready ? t.settings.yes : t.settings.no],
    [t.settings.storage, app.status?.persisted ? t.settings.protected : t.settings.unprotected], [t.settings.pack,
      app.reference?.pack?.slice(0, 6)],
    [t.settings.forms, app.reference?.protocols?.length && app.reference.protocols.map((/** @type {any} */ p) => html`<span class="part">${t.settings.form(p.title, p.version)}</span>`)],
      [t.settings.version, app.version],
  ]);
  return html`<h1 class="sr">${t.settings.title}</h1>
    ${app.status?.reason_kind === "sign_in" ? signIn(app, here) : nothing}
    ${choice(t.settings.display, "theme", Object.entries(t.settings.themes), app.prefers.theme, (value) => app.prefer({ theme: value }))}
    ${choice(t.settings.keys, "keys", [["pad", t.settings.pad], ["keyboard", t.settings.keyboard]], app.prefers.pad ? "pad" : "keyboard",
      (value) => app.prefer({ pad: value === "pad" }))}
    ${choice(t.settings.hand, "hand", [["right", t.settings.right], ["left", t.settings.left]], app.prefers.hand,
      (value) => app.prefer({ hand: value }))}
    <section class="sect" aria-labelledby="tab-h"><h2 id="tab-h">${t.settings.tablet}</h2><dl class="facts">${facts.filter(([, value]) => value).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}

/**
 * @param {string} label
 * @param {string} name
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} set
 */
function choice(label, name, options, chosen, set) {
  return html`<fieldset class="field" data-field=${name}><legend class="lab">${label}</legend><div class="choice of-${options.length}">${options.map(([value, word]) => html`
    <label class="opt"><input class="sr" type="radio" name="set-${name}" value=${value} .checked=${value === chosen}
      @change=${() => set(value)}>${icon("i-check")}<span>${word}</span></label>`)}</div></fieldset>`;
}

/** Receiving stopped because the sign-in ended; sending goes on. @param {any} app @param {any} here */
function signIn(app, here) {
  const go = async (/** @type {Event} */ event) => {
    event.preventDefault();
    here.busy = true;
    here.problem = "";
    app.render();
    try { await app.signIn({ name: here.name, password: here.password }); } catch (problem) { here.problem = sentence(problem)
      || t.errors.generic; }
    here.busy = false;
    app.render();
  };
  return html`<form class="editor" aria-labelledby="si-h"
    @submit=${go} novalidate><h2 id="si-h">${t.signIn.title}</h2><p class="meta">${t.signIn.why}</p>
    <div class="field"><label for="si-name">${t.signIn.name}</label><input class="txt" id="si-name" type="text" autocomplete="username"
      @input=${(/** @type {any} */ e) => { here.name = e.target.value; }}></div>
    <div class="field"><label for="si-pass">${t.signIn.password}</label><input class="txt" id="si-pass" type="password" autocomplete="current-password" @input=${(/** @type {any} */ e) => { here.password = e.target.value; }}></div>
    ${here.problem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${here.problem}</p>` : nothing}
    <button class="btn go" type="submit" ?disabled=${here.busy}>${t.signIn.go}</button></form>`;
}
