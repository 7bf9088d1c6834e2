/** Which screen an address opens. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import * as assignments from "./assignments.js";
import * as conflict from "./conflict.js";
import * as custody from "./custody.js";
import * as inspection from "./inspection.js";
import * as outbox from "./outbox.js";
import * as settings from "./settings.js";
import * as welcome from "./welcome.js";

/** @typedef {{draw: () => any, title: string, focus?: string | null, changed?: () => Promise<void>}} Screen */

/**
 * @param {any} app
 * @param {string} path without "#/"
 * @param {string} code of an enrolment address
 * @returns {Promise<Screen>}
 */
export async function open(app, path, code) {
  const [first, id, section, more] = path.split("/");
  if (first === "welcome") return welcome.open(app, code);
  if (first === "visit" && section === "custody" && more === "chain") return custody.open(app, id);
  if (first === "visit") return inspection.open(app, id, section);
  if (first === "conflict") return conflict.open(app, id, section);
  if (first === "outbox") return outbox.open(app);
  if (first === "settings") return settings.open(app);
  return assignments.open(app);
}

/** What is shown when the app cannot open what it keeps. @returns {Screen} */
export const broken = () => ({ title: t.app, draw: () => html`<main id="main" tabindex="-1" class="content narrow"><h1>${t.app}</h1><p class="lab" role="alert">${t.errors.open}</p>
  <div class="btnrow"><button class="btn go" type="button" @click=${() => location.reload()}>${t.errors.again}</button></div></main>` });
