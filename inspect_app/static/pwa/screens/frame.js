/** What is around every screen: header with the connection, navigation of the home screens, the offer of an update. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import { icon } from "../fields/icons.js";
import { clockText } from "../fields/moments.js";

/**
 * @typedef {Record<string, any>} App what app.js hands to every screen
 * @param {App} app
 * @param {{title: any, sub?: any, back?: {href: string, to: string, go?: () => void} | null}} head
 */
export function header(app, { title, sub, back = null }) {
  return html`<a class="skip" href="#main" @click=${toMain}>${t.skip}</a>
    <header class="bar">
      ${back
        ? html`<a class="sq" href=${back.href} @click=${back.go ?? nothing}>${icon("i-back")}<span class="sr">${t.nav.back(back.to)}</span></a>`
        : html`<span class="sq">${icon("k-mark", "l")}</span>`}
      <p class="where"><b>${title}</b>${sub ? html`<span>${sub}</span>` : nothing}</p>
      <button class="sq sun" type="button" @click=${app.nextTheme}>${icon("i-sun")}<span class="sr">${t.nav.theme}</span></button>
      ${app.status?.enrolled === false ? nothing : connection(app)}
    </header>
    ${app.update ? updateOffer(app) : nothing}`;
}

/** Why nothing can be kept here for work without a signal. @param {App} app */
export const noOffline = (app) => html`<p class="told" role="alert" id="ready" data-ready="no" data-why=${app.noOffline}>${icon("i-bad")}<span><b>${t.today.noOffline}</b> ${t.today.noOfflineWhy[app.noOffline]}</span></p>`;

/** A link to an anchor would be taken for an address of the app. @param {Event} event */
function toMain(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** The connection button: a state in words, how much waits and since when. @param {App} app */
export function connection(app) {
  const { state, words: said } = connectionWords(app.status, app.timezone);
  const unsafe = app.status?.persisted === false;
  // Two lines fit: that nothing waits is the less urgent one.
  const words = unsafe && said === t.net.nothing ? "" : said;
  return html`<a class="net ${state === "offline" ? "off" : ""} ${state === "needs_you" ? "you" : ""}" href="#/outbox" data-state=${state}>
    ${icon({ offline: "i-off", needs_you: "i-bad" }[state] ?? "i-up")}
    <span><b>${t.net[/** @type {"offline"} */ (state)]}</b>${words ? html`<span>${words}</span>` : nothing}${unsafe
      ? html`<span class="unsafe">${t.net.unsafe}</span>` : nothing}</span></a>`;
}

/** The two lines of the connection button from the store's status. @param {any} status @param {string} timezone */
export function connectionWords(status, timezone) {
  if (!status) return { state: "offline", words: t.net.nothing };
  const items = (status.waiting ?? 0) + (status.photos_waiting ?? 0);
  const state = status.state ?? (status.online ? "online" : "offline");
  const aside = (status.set_aside ?? []).length + (status.photos_set_aside ?? []).length;
  if (state === "needs_you" && aside) return { state, words: t.net.aside(aside) };
  if (status.reason_kind === "sign_in") return { state, words: items ? t.net.waitingFor(items, t.net.signIn) : t.net.signIn };
  if (state === "needs_you" && (status.conflicts ?? []).length) return { state, words: t.net.questions(status.conflicts.length) };
  if (items) return { state, words: t.net.waiting(items, clockText(status.waiting_since, timezone)) };
  return { state, words: status.last_full_sync ? t.net.sent(clockText(status.last_full_sync, timezone)) : t.net.nothing };
}

/** @param {App} app */
function updateOffer(app) {
  return html`<div class="offer" role="status"><p>${t.update.ready}</p>
    ${app.formOpen ? html`<p class="meta">${t.update.later}</p>` : html`<button class="btn" type="button"
      @click=${app.takeUpdate}>${t.update.take}</button>`}</div>`;
}

/** The frame of a home screen: rail on a tablet, tabs on a phone. @param {App} app @param {string} here @param {any} content */
export function home(app, here, content) {
  const waiting = (app.status?.waiting ?? 0) + (app.status?.photos_waiting ?? 0);
  const places = [
    { id: "today", href: "#/", icon: "i-today", small: app.visits ? t.today.visits(app.visits) : "" },
    { id: "map", href: "#/map", icon: "i-map", small: "" },
    { id: "search", href: "#/search", icon: "i-search", small: "" },
    { id: "outbox", href: "#/outbox", icon: "i-up", small: waiting ? t.net.sending_now(waiting) : "", badge: waiting },
    { id: "book", href: "#/book", icon: "i-book", small: "" },
    { id: "settings", href: "#/settings", icon: "i-person", small: "" },
  ];
  const current = (/** @type {string} */ id) => (id === here ? "page" : nothing);
  const word = (/** @type {string} */ id) => t.places[/** @type {"today"} */ (id)];
  return html`<div class="shell home">
      <nav class="rail" aria-label=${t.places.main}><ol>${places.map((p) => html`<li><a href=${p.href}
        aria-current=${current(p.id)}>${icon(p.icon)}<span>${word(p.id)}</span>${p.small ? html`<small>${p.small}</small>`
          : nothing}</a></li>`)}</ol></nav>
      <main id="main" tabindex="-1"><div class="content">${content}</div></main>
    </div>
    <nav class="tabs" aria-label=${t.places.main}>${places.map((p) => html`<a href=${p.href}
      aria-current=${current(p.id)}>${icon(p.icon)}<span>${word(p.id)}</span>${p.badge ? html`<span class="badge"
      aria-hidden="true">${p.badge}</span>` : nothing}</a>`)}</nav>`;
}

/** The way to the other language, in its own words, where the settings are still out of reach. @param {App} app */
export function otherLanguage(app) {
  const other = t.language === "en" ? "es" : "en";
  return html`<p><button class="quiet" type="button" lang=${other} @click=${() => app.speak(other)}>${t.settings.languages[other]}</button></p>`;
}

/** Bytes as people read them. @param {number | null | undefined} bytes */
export function bytesText(bytes) {
  const n = bytes ?? 0;
  if (n >= 1e9) return `${(n / 1e9).toFixed(1)} GB`;
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} MB`;
  return `${Math.ceil(n / 1000)} kB`;
}
