/**
 * Which screen an address opens.
 *
 * The list of the day is read at once; the others when they are opened, or when there is time, so that a cold start
 * on a slow tablet reads a third of the app.
 */
import { html } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import * as assignments from "./assignments.js";

/** @typedef {{draw: () => any, title: string | (() => string), focus?: string | null, changed?: () => Promise<void>}} Screen */

const read = {
  blank: () => import("./blank.js"),
  book: () => import("./book.js"),
  conflict: () => import("./conflict.js"),
  custody: () => import("./custody.js"),
  inspection: () => import("./inspection.js"),
  map: () => import("./map.js"),
  outbox: () => import("./outbox.js"),
  people: () => import("./people.js"),
  practice: () => import("./practice.js"),
  search: () => import("./search.js"),
  settings: () => import("./settings.js"),
  welcome: () => import("./welcome.js"),
};

/** Reads all screens ahead, and what judges a form. */
export const warm = () => Promise.all([...Object.values(read).map((one) => one()), import("./judge.js")]);

/**
 * @param {any} app
 * @param {string} path without "#/"
 * @param {string} code of an enrolment address
 * @returns {Promise<Screen>}
 */
export async function open(app, path, code) {
  const [first, id, section, more] = path.split("/");
  if (first === "welcome") return (await read.welcome()).open(app, code);
  if (first === "practice") return (await read.practice()).open((await app.practice()).app);
  if (id?.startsWith("practice-")) ({ app } = await app.practice());
  if (first === "visit" && section === "custody" && more === "chain") return (await read.custody()).open(app, id);
  if (first === "visit") return (await read.inspection()).open(app, id, section);
  if (first === "conflict") return (await read.conflict()).open(app, id, section);
  if (first === "blank") return (await read.blank()).open(app, id);
  if (first === "book") return (await read.book()).open(app, id);
  if (first === "people") return (await read.people()).open(app);
  if (first === "map") return (await read.map()).open(app, id);
  if (first === "search") return (await read.search()).open(app);
  if (first === "outbox") return (await read.outbox()).open(app);
  if (first === "settings") return (await read.settings()).open(app);
  return assignments.open(app);
}

/** What is shown when the app cannot open what it keeps. @returns {Screen} */
export const broken = () => ({ title: t.app, draw: () => html`<main id="main" tabindex="-1" class="content narrow"><h1>${t.app}</h1><p class="lab" role="alert">${t.errors.open}</p>
  <div class="btnrow"><button class="btn go" type="button" @click=${() => location.reload()}>${t.errors.again}</button></div></main>` });
