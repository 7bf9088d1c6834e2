/** Who works with this tablet: shown when nobody is signed in, and where a sign-in has ended. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { icon } from "../fields/icons.js";
import { t } from "../words.js";
import { bytesText, header, otherLanguage } from "./frame.js";
import { sentence } from "./visit.js";

/** @param {any} app */
export async function open(app) {
  const here = { name: "", password: "", problem: "", busy: false, known: await app.people() };
  return { draw: () => html`${header(app, { title: t.app, sub: t.people.nobody })}<div class="shell"><main id="main" tabindex="-1"><div class="content narrow">
    <div class="head"><h1>${t.people.title}</h1><p class="meta">${t.people.lead}</p></div>
    ${waits(app)}
    ${here.known.length ? choose(app, here) : nothing}
    ${signInForm(app, here, { title: t.people.signIn, why: here.known.length ? t.people.offline : t.people.online })}
    <p class="meta"><a href="#/welcome">${t.people.code}</a></p>${otherLanguage(app)}</div></main></div>`, title: () => t.people.title };
}

/** What all people of this tablet have not sent, as figures. @param {any} app */
function waits(app) {
  const { items = 0, bytes = 0 } = app.status?.others ?? {};
  return items ? html`<p class="ready wait" id="others">${icon("i-up")}<span>${t.people.waits(items, bytesText(bytes))}</span></p>
    <div class="btnrow"><button class="btn" type="button" @click=${() => app.send()}>${t.outbox.go}</button></div>` : nothing;
}

/** Those who have signed in here before; choosing one fills in the name. @param {any} app @param {any} here */
function choose(app, here) {
  const take = (/** @type {string} */ name) => { here.name = name; app.render(); app.focus("si-pass"); };
  return html`<fieldset class="field" data-field="person"><legend class="lab">${t.people.before}</legend><div class="choice rows">${here.known.map((/** @type {any} */ one) => html`
    <label class="opt"><input class="sr" type="radio" name="person" value=${one.sign_in_name} .checked=${here.name === one.sign_in_name}
      @change=${() => take(one.sign_in_name)}>${icon("i-check")}<span>${one.name}</span></label>`)}</div></fieldset>`;
}

/**
 * Name and password. @param {any} app @param {any} here {name, password, problem, busy}
 * @param {{title: string, why: string}} says
 */
export function signInForm(app, here, says) {
  const go = async (/** @type {Event} */ event) => {
    event.preventDefault();
    here.busy = true;
    here.problem = "";
    app.render();
    try { await app.signIn({ name: here.name, password: here.password }); } catch (problem) {
      here.problem = sentence(problem) || t.errors.generic;
    }
    here.busy = false;
    app.render();
  };
  return html`<form class="editor" aria-labelledby="si-h"
    @submit=${go} novalidate><h2 id="si-h">${says.title}</h2><p class="meta">${says.why}</p>
    <div class="field"><label for="si-name">${t.signIn.name}</label><input class="txt" id="si-name" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" .value=${here.name}
      @input=${(/** @type {any} */ e) => { here.name = e.target.value; }}></div>
    <div class="field"><label for="si-pass">${t.signIn.password}</label><input class="txt" id="si-pass" type="password" autocomplete="current-password" @input=${(/** @type {any} */ e) => { here.password = e.target.value; }}></div>
    ${here.problem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${here.problem}</p>` : nothing}
    <button class="btn go" type="submit" ?disabled=${here.busy}>${t.signIn.go}</button></form>`;
}
