/**
 * Taking a photo for one slot of a visit. Before the camera opens, a marker goes to disk: a weak tablet may close the app
 * under the camera, and must then come back to the same slot.
 */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import { openCamera } from "../camera/camera.js";
import { icon } from "../fields/icons.js";
import { bytesOf } from "../fields/photo.js";
import { withOffset } from "../fields/moments.js";
import { t } from "../words.js";
import { sentence } from "./visit.js";

const MARK = "camera:";

/** @typedef {{shows: string, proves?: string, label: string, in_view?: string, key: string}} Slot */

/** The slot whose photo was being taken when the app went away, if any. @param {any} resumed @returns {string | null} */
export const interrupted = (resumed) => (typeof resumed?.field === "string"
  && resumed.field.startsWith(MARK) ? resumed.field.slice(MARK.length) : null);

/** @param {import("./visit.js").Visit} visit @param {Slot} slot @param {(photoId: string) => void} [then] */
export async function takePhoto(visit, slot, then) {
  await visit.app.store.position(visit.id, { section: visit.section, field: MARK + slot.key });
  visit.camera = { slot, then, problem: "", busy: true, placed: visit.app.position().catch(() => null) };
  visit.app.render();
}

/** @param {import("./visit.js").Visit} visit @param {Slot} slot @param {File} file @param {(photoId: string) => void} [then] */
export async function fromFile(visit, slot, file, then) {
  try {
    const { bytes, mime } = await bytesOf(file);
    const placed = visit.app.position().catch(() => null);
    await keep(visit, slot, { bytes, mime, from_library: true, placed }, then);
  } catch (problem) {
    visit.photoProblem = { key: slot.key, text: sentence(problem) || t.photos.failed };
    visit.app.render();
  }
}

/**
 * @param {import("./visit.js").Visit} visit
 * @param {Slot} slot
 * @param {{bytes: ArrayBuffer, mime: string, from_library: boolean, placed: Promise<any>}} shot
 * @param {(photoId: string) => void} [then]
 */
async function keep(visit, slot, { bytes, mime, from_library, placed }, then) {
  const taken_at = withOffset(visit.app.now(), visit.app.timezone);
  const at = await soon(placed);
  const taken_place = at ? { lat: at.lat, lon: at.lon, accuracy_m: at.accuracy_m } : null;
  try {
    const id = await visit.app.store.addPhoto(visit.id, { bytes, mime, shows: slot.shows, proves: slot.proves ?? "", taken_at, taken_place,
      from_library: from_library ? "yes" : "no" });
    visit.keptAt = visit.app.now();
    visit.photoProblem = null;
    visit.interrupted = null;
    await visit.app.store.position(visit.id, { section: visit.section, field: null });
    await visit.refresh();
    then?.(id);
  } catch (problem) {
    const full = /quota|room|space|full/i.test(`${/** @type {any} */ (problem)?.name} ${/** @type {any} */ (problem)?.message}`);
    visit.photoProblem = { key: slot.key, text: sentence(problem) || (full ? t.photos.full : t.photos.failed) };
  }
  visit.app.render();
}

/** A position that is late does not hold up the picture. @param {Promise<any>} placed */
const soon = (placed) => Promise.race([placed, new Promise((resolve) => setTimeout(resolve, 4000, null))]);

/** The camera over the whole screen, while it is open. @param {import("./visit.js").Visit} visit */
export function cameraSheet(visit) {
  const state = visit.camera;
  if (!state) return nothing;
  state.hold ??= (/** @type {Element | undefined} */ video) => { if (video) start(visit, state, /** @type {HTMLVideoElement} */ (video)); };
  return html`<div class="camera" role="dialog" aria-modal="true" aria-label=${t.photos.of(state.slot.label)}
    @keydown=${(/** @type {KeyboardEvent} */ e) => e.key === "Escape" && close(visit)}>
    <p class="lab">${state.slot.label}${state.slot.in_view ? html`<span class="hint">${state.slot.in_view}</span>` : nothing}</p>
    <video playsinline muted ${ref(state.hold)}></video>
    ${state.problem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${state.problem}</p>` : state.busy
      ? html`<p role="status">${t.photos.opening}</p>` : nothing}
    <div class="btnrow"><button class="btn" type="button" id="camera-close" @click=${() => close(visit)}>${t.photos.close}</button>
      ${state.camera?.torch ? html`<button class="btn" type="button" aria-pressed=${String(Boolean(state.lit))}
        @click=${() => light(visit, state)}>${t.photos.light}</button>` : nothing}
      <button class="btn go" type="button" ?disabled=${state.busy || Boolean(state.problem)}
        @click=${() => shoot(visit, state)}>${icon("i-camera")}${t.photos.shutter}</button></div></div>`;
}

/** @param {import("./visit.js").Visit} visit @param {any} state @param {HTMLVideoElement} video */
async function start(visit, state, video) {
  if (state.camera || state.starting) return;
  state.starting = true;
  document.getElementById("camera-close")?.focus();
  try {
    state.camera = await openCamera(video);
    if (visit.camera !== state) state.camera.close(); // closed while it was opening
  } catch (problem) {
    state.problem = /** @type {any} */ (problem)?.kind === "denied" ? t.photos.refused : sentence(problem) || t.photos.refused;
  }
  state.busy = false;
  visit.app.render();
}

/** @param {import("./visit.js").Visit} visit @param {any} state */
async function shoot(visit, state) {
  state.busy = true;
  visit.app.render();
  try {
    const { bytes, mime } = await state.camera.capture();
    close(visit);
    await keep(visit, state.slot, { bytes, mime, from_library: false, placed: state.placed }, state.then);
  } catch (problem) {
    state.busy = false;
    state.problem = sentence(problem) || t.photos.failed;
    visit.app.render();
  }
}

/** @param {import("./visit.js").Visit} visit @param {any} state */
async function light(visit, state) {
  state.lit = await state.camera.torch(!state.lit);
  visit.app.render();
}

/** @param {import("./visit.js").Visit} visit */
export function close(visit) {
  visit.camera?.camera?.close();
  visit.camera = null;
  visit.app.store.position(visit.id, { section: visit.section, field: null });
  visit.app.render();
}
