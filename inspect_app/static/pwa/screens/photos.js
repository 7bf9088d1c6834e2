/** The photos of an inspection: the next one on top, each in a place of its own with what must be in view and what it proves. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { icon, unbroken } from "../fields/icons.js";
import { clockText } from "../fields/moments.js";
import { empty, picture, ways } from "../fields/photo.js";
import { shownText } from "../fields/shown.js";
import { t } from "../words.js";
import { takePhoto } from "./camera.js";
import { specOf } from "./asks.js";
import { fromFile } from "./shots.js";

/** @param {import("./visit.js").Visit} visit @param {any} section */
export function photos(visit, section) {
  const slots = visit.slots;
  const needed = slots.filter((/** @type {any} */ slot) => slot.needed);
  const done = needed.filter((/** @type {any} */ slot) => slot.taken.length).length;
  const next = nextSlot(visit);
  const others = slots.filter((/** @type {any} */ slot) => slot.key !== next?.key);
  const known = new Set(slots.flatMap((/** @type {any} */ slot) => slot.taken.map((/** @type {any} */ photo) => photo.photo_id)));
  const loose = (visit.doc.photos ?? []).filter((/** @type {any} */ photo) => !known.has(photo.photo_id));
  return html`<div class="head"><h1>${section.title}</h1><p class="meta">${next || !needed.length ? t.photos.taken(done, needed.length) + "." : t.photos.all} ${t.photos.each}</p></div>
    ${visit.interrupted ? html`<p class="told" role="status">${icon("i-bad", "s")}${t.photos.interrupted(labelOf(visit, visit.interrupted))}</p>` : nothing}
    ${next ? html`<div class="slots">${slotCard(visit, next, true)}</div>` : nothing}
    ${others.length ? html`<ul class="slots">${others.map((/** @type {any} */ slot) => slotCard(visit, slot, false))}</ul>` : nothing}
    <section class="sect" aria-labelledby="more-h"><h2 id="more-h">${t.photos.more}</h2>
      ${loose.length ? html`<ul class="slots">${loose.map((/** @type {any} */ photo) => html`<li class="slot"><div class="pic">${shot(visit, photo, t.photos.other)}</div><div>${stamp(visit, photo)}</div></li>`)}</ul>` : nothing}
      ${refused(visit, "other")}
      ${waysFor(visit, { shows: "other", label: t.photos.other, in_view: t.photos.otherIn, key: "other" })}</section>`;
}

/** Why a photo of this place was not kept. @param {import("./visit.js").Visit} visit @param {string} key */
const refused = (visit, key) => (visit.photoProblem?.key === key
  ? html`<p class="told" role="alert">${icon("i-bad", "s")}${visit.photoProblem?.text}</p>` : nothing);

/** The first planned photo that is missing; one that was interrupted comes first. @param {import("./visit.js").Visit} visit */
export function nextSlot(visit) {
  const open = visit.slots.filter((/** @type {any} */ slot) => !slot.taken.length);
  return open.find((/** @type {any} */ slot) => slot.key === visit.interrupted) ?? open.find((/** @type {any} */ slot) => slot.needed)
    ?? null;
}

/** @param {import("./visit.js").Visit} visit @param {string} key */
const labelOf = (visit, key) => visit.slots.find((/** @type {any} */ slot) => slot.key === key)?.label ?? t.photos.other;

/** @param {import("./visit.js").Visit} visit @param {any} slot @param {boolean} now */
function slotCard(visit, slot, now) {
  const photo = slot.taken.at(-1);
  const [proved, one] = String(slot.proves ?? "").split(".");
  const spec = proved ? specOf(visit, proved) : null;
  // One choice of several, or rows: the value as a whole is not what the picture shows.
  const value = spec && !one && spec.type !== "list" ? shownText(spec, visit.answers[proved], { timezone: visit.app.timezone }) : "";
  const title = html`${slot.label}${slot.needed || photo ? nothing : html` <span class="opt-note">${t.form.optional}</span>`}`;
  const what = html`<div>${now ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
    <p class="hint">${now ? html`${t.photos.next} `
      : nothing}${photo && value ? `${value}, ${spec.label.toLowerCase()}` : slot.in_view}</p>
    ${photo ? stamp(visit, photo) : spec ? html`<p class="st">${icon("i-photo")}<span>${t.photos.proves(spec.label)}${value ? html`, ${unbroken(value)}` : ""}</span></p>` : nothing}
    ${!slot.many && slot.taken.length > 1 ? html`<p class="hint">${t.photos.older(slot.taken.length - 1)}</p>` : nothing}
    ${refused(visit, slot.key)}
    ${waysFor(visit, slot)}</div>`;
  // Where one place takes a photo of each thing, none of them hides behind the next.
  const shown = slot.many ? slot.taken : slot.taken.slice(-1);
  const named = (/** @type {number} */ n) => (shown.length > 1 ? `${slot.label}, ${t.outbox.of(n + 1, shown.length)}` : slot.label);
  const pic = html`<div class="pic">${photo ? shown.map((/** @type {any} */ one, /** @type {number} */ n) => shot(visit, one, named(n), value))
    : empty(slot.in_view ?? slot.label, slot.shows)}</div>`;
  return now ? html`<div class="slot now" data-slot=${slot.key}>${pic}${what}</div>`
    : html`<li class="slot ${photo ? "" : "want"}" data-slot=${slot.key}>${pic}${what}</li>`;
}

/** @param {import("./visit.js").Visit} visit @param {any} photo @param {string} label @param {string} [value] */
const shot = (visit, photo, label, value = "") => picture(visit.app.pictures.url(visit.id, photo.photo_id), [label,
  value].filter(Boolean).join(": "));

/** When, how well placed, and where the picture is now. @param {import("./visit.js").Visit} visit @param {any} photo */
function stamp(visit, photo) {
  const place = photo.row?.taken_place;
  const parts = [clockText(photo.row?.taken_at, visit.app.timezone),
    place ? t.photos.accuracy(Math.round(place.accuracy_m)) : t.photos.noPlace, photo.row?.from_library === "yes" && t.photos.library,
    ["stored", "durable"].includes(photo.state) ? t.photos.sent : t.photos.here];
  return html`<p class="st">${icon("i-check")}<span>${parts.filter(Boolean).join(", ")}</span></p>`;
}

/** @param {import("./visit.js").Visit} visit @param {any} slot */
const waysFor = (visit, slot) => ways({ id: `photo-${slot.key}`, label: slot.label, again: Boolean(slot.taken?.length),
  take: () => takePhoto(visit, slot), file: (file) => fromFile(visit, slot, file) });
