/** What is kept here and not yet with the office: how much, since when, what is set aside and why. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { clockText } from "../fields/moments.js";
import { icon } from "../fields/icons.js";
import { say } from "../fields/say.js";
import { asWords, t } from "../words.js";
import { groupOfConflict } from "./findings.js";
import { bytesText, header, home } from "./frame.js";
import { sentence } from "./visit.js";

/** Photos named one by one; more would only make the list longer. */
const MOST_NAMED = 60;

/** @param {any} app */
export async function open(app) {
  const here = { told: "", names: new Map((await app.store.inspections()).map((/** @type {any} */ one) => [one.id, one.number
    ?? one.permit_no ?? one.place])) };
  return { draw: () => html`${header(app, { title: t.places.outbox, sub: html`${app.person?.name ?? ""}`, back: { href: "#/", to: t.places.today } })}${home(app, "outbox", content(app, here))}`, title: t.places.outbox };
}

/** @param {any} app @param {any} here */
function content(app, here) {
  const status = app.status ?? {};
  const waiting = status.waiting ?? 0;
  const photos = status.photos_waiting ?? 0;
  const items = waiting + photos;
  const state = status.state ?? "offline";
  const words = t.outbox.lead;
  const foreign = status.others?.items || (status.carried ?? []).some((/** @type {any} */ file) => file.next < file.ops || file.photos_sent < file.photos);
  const lead = !items ? (foreign ? words.yours : words.clear) : state === "sending" ? words.sending(items) : state === "offline" ? words.offline(items) : words.online(items);
  return html`<div class="hero"><h1 class="sr">${t.places.outbox}</h1><p class="big">${lead}</p>
      <p class="meta">${t.outbox.keptUntil} ${status.last_full_sync ? t.outbox.last(clockText(status.last_full_sync, app.timezone,
        true)) : t.outbox.never}</p>
      ${status.reason && status.reason_kind !== "set_aside" && status.reason_kind !== "conflict"
        ? html`<p class="told">${icon("i-bad", "s")}${say(status.reason)}</p>` : nothing}
      ${status.reason_kind === "enrol_again" ? html`<a class="btn" href="#/welcome">${t.welcome.enrol}</a>` : nothing}
      ${status.reason_kind === "sign_in" ? html`<a class="btn" href="#/settings">${t.signIn.title}</a>` : nothing}</div>
    ${status.loss ? html`<p class="told" role="alert">${icon("i-bad", "s")}${say(status.loss)}</p>` : nothing}
    ${aside(status).length ? setAside(aside(status), here) : nothing}
    ${items ? html`<section class="sect" aria-labelledby="wait"><div class="top2"><h2 id="wait">${t.outbox.waiting}</h2>${status.waiting_since ? html`<span class="meta">${t.outbox.since(clockText(status.waiting_since, app.timezone))}</span>` : nothing}</div><ul>
      ${waiting ? html`<li class="q">${icon("i-pen")}<span><b>${t.outbox.changes}</b>${sentOf(status.progress?.changes)}</span><span class="v" id="count-changes">${waiting}</span>${meter(status.progress?.changes, t.outbox.changes)}</li>` : nothing}
      ${photos ? html`<li class="q">${icon("i-photo")}<span><b>${t.outbox.photos}</b>${sentOf(status.progress?.photos)}<span class="meta">${t.outbox.left(bytesText(status.bytes_waiting))}</span></span><span class="v" id="count-photos">${photos}</span>${meter(status.progress?.bytes, t.outbox.photos)}</li>` : nothing}</ul>
      ${photos && status.originals_held ? html`<p class="meta" id="held">${app.knowsLine ? t.outbox.held : t.outbox.heldPress}</p>` : nothing}
      ${photos ? eachPhoto(app, here) : nothing}</section>` : nothing}
    ${status.others?.items ? html`<p class="meta" id="others">${t.outbox.others(status.others.items, bytesText(status.others.bytes))}</p>` : nothing}
    ${status.carried?.length ? brought(app, status.carried) : nothing}
    ${(status.conflicts ?? []).length ? html`<section class="sect"
      aria-labelledby="conf"><h2 id="conf">${t.outbox.question}</h2><ul>${status.conflicts.map((/** @type {any} */ c) => html`
      <li class="line is-warning">${icon("o-warning", "o")}<span><b>${[here.names.get(c.record_id),
        t.conflict.notice(say(asWords(groupOfConflict(c))))].filter(Boolean).join(", ")}</b></span><a class="quiet" href="#/conflict/${c.record_id}/${c.id}">${t.outbox.compare}</a></li>`)}</ul></section>` : nothing}
    <div class="btnrow"><button class="btn go" type="button" @click=${() => app.send({ all: true })}>${icon("i-up")}${t.outbox.go}</button>
      <button class="btn" type="button" id="save-unsent" @click=${() => save(app, here)}>${icon("i-file")}${t.outbox.save}</button>
      <label class="btn" for="bring">${icon("i-file")}${t.outbox.bring}</label><input class="sr" type="file" id="bring" accept=".zip,application/zip" @change=${(/** @type {any} */ e) => bring(app, here, e.target)}></div>
    ${here.told ? html`<p class="meta" role="status">${here.told}</p>` : nothing}
    ${storage(app)}`;
}

/** Changes and photos that the office did not take as they are. @param {any} status @returns {any[]} */
function aside(status) {
  const photos = (status.photos_set_aside ?? []).map((/** @type {any} */ p) => ({ op_id: p.photo_id, record_id: p.record_id,
    what: t.photos.of(say(asWords(p.row?.shows ?? ""))), reason: p.why }));
  return [...(status.set_aside ?? []), ...photos];
}

/** What an entry that was set aside is, in the words of the form. @param {any} item */
function whatOf(item) {
  const { content = {} } = item;
  return say(asWords(content.group ?? content.list ?? content.row?.shows ?? String(item.kind ?? "").replace(".", " ")));
}

/** Why the office did not take it, as a sentence where there is one. @param {string} reason */
const whyOf = (reason) => t.outbox.reasons[reason] ?? (reason.startsWith("bug:") ? t.outbox.bug : say(asWords(reason)));

/** @param {[number, number] | undefined} part */
const sentOf = (part) => (part?.[0] ? html`<span class="meta">${t.outbox.of(part[0], part[1])}</span>` : nothing);

/** How far it has come, drawn where anything was sent yet. @param {[number, number] | undefined} part @param {string} name */
const meter = (part, name) => (part?.[0] ? html`<svg class="meter" role="progressbar" aria-label=${name} aria-valuemin="0" aria-valuemax=${part[1]} aria-valuenow=${part[0]} viewBox="0 0 100 10" preserveAspectRatio="none"><rect width=${(100 * part[0]) / part[1]} height="10"/></svg>` : nothing);

/** What each photo waits for. @param {any} app @param {any} here */
function eachPhoto(app, here) {
  const all = app.status.unsent_photos ?? [];
  const where = (/** @type {any} */ photo) => (photo.left < photo.bytes ? `${Math.floor(100 - (100 * photo.left) / photo.bytes)} %`
    : !photo.previewed ? t.outbox.part.waits
      : app.status.originals_held ? (app.knowsLine ? t.outbox.part.held : t.outbox.part.press) : t.outbox.part.preview);
  return html`<details class="each"><summary>${t.outbox.each(all.length)}</summary><ol>${all.slice(0, MOST_NAMED).map((/** @type {any} */ photo) => html`
    <li class="line" data-photo=${photo.photo_id}>${icon("i-photo")}<span><b>${[here.names.get(photo.record_id), asWords(photo.shows)].filter(Boolean).join(", ")}</b><span class="meta">${where(photo)}</span></span><span class="v">${bytesText(photo.bytes)}</span></li>`)}</ol>
    ${all.length > MOST_NAMED ? html`<p class="meta">${t.outbox.more(all.length - MOST_NAMED)}</p>` : nothing}</details>`;
}

/** Files of other tablets that are sent from here. @param {any} app @param {any[]} files */
function brought(app, files) {
  return html`<section class="sect" aria-labelledby="br-h"><h2 id="br-h">${t.outbox.brought}</h2><ul>${files.map((file) => {
    const done = file.next === file.ops && file.photos_sent === file.photos;
    const aside = (file.counts.raw ?? 0) + (file.counts.quarantined ?? 0);
    return html`<li class="q" data-carried=${done ? "done" : "waits"}>${icon("i-file")}<span><b>${file.name}</b><span class="meta">${t.outbox.broughtOf(file)}</span>
      ${aside ? html`<span class="meta">${t.outbox.broughtAside(aside)}</span>` : nothing}${done ? html`<span class="meta">${t.outbox.broughtDone}</span><button class="quiet" type="button"
        @click=${() => app.dropFile(file.id)}>${t.outbox.drop}</button>` : nothing}</span>
      ${done ? nothing : meter([file.next + file.photos_sent, file.ops + file.photos], file.name)}</li>`;
  })}</ul></section>`;
}

/** Takes a file of another tablet over. @param {any} app @param {any} here @param {HTMLInputElement} input */
async function bring(app, here, input) {
  const [file] = input.files ?? [];
  input.value = "";
  if (!file) return;
  here.told = "";
  try { await app.takeFile(file); } catch (problem) { here.told = sentence(problem) || t.errors.generic; }
  app.render();
}

/** @param {any[]} items @param {any} here */
function setAside(items, here) {
  return html`<section class="parked is-warning" aria-labelledby="pk"><h2 id="pk" class="outcome">${icon("o-warning", "o")}${t.outbox.aside(items.length)}</h2>
    ${items.map((item) => html`<dl class="wwn" data-aside=${item.op_id}><dt>${t.outbox.what}</dt><dd>${[here.names.get(item.record_id), item.what ?? whatOf(item)].filter(Boolean).join(": ")}</dd>
      <dt>${t.outbox.why}</dt><dd>${whyOf(item.reason ?? "")}</dd><dt>${t.outbox.next}</dt><dd>${t.outbox.nextText}</dd></dl>`)}</section>`;
}

/** @param {any} app @param {any} here */
async function save(app, here) {
  try {
    const file = await app.exportUnsent();
    if (!file.ops && !file.photos) here.told = t.outbox.saveNone;
    else { hand(file); here.told = t.outbox.saved(file.name); }
  } catch { here.told = t.outbox.saveFailed; }
  app.render();
}

/** Hands a file to the browser's downloads. @param {{name: string, blob: Blob}} file */
function hand({ name, blob }) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** @param {any} app */
function storage(app) {
  const { persisted, quota_used: used } = app.status ?? {};
  const part = typeof used === "number" ? `${Math.max(1, Math.round(used * 100))} %` : "";
  return html`<section class="sect" aria-labelledby="st-h"><h2 id="st-h">${t.outbox.storage}</h2>
    <p class="meta" data-persisted=${String(persisted)}>${persisted ? t.outbox.protected : t.outbox.unprotected}${part ? `. ${t.outbox.used(part)}` : ""}.</p>
    ${used > 0.8 ? html`<p class="told">${icon("i-bad", "s")}${t.outbox.tight}</p>` : nothing}
    ${persisted ? nothing : html`<div class="btnrow"><button class="btn" type="button"
      @click=${() => app.protect()}>${t.outbox.askStorage}</button></div>`}</section>`;
}
