/**
 * The camera over the whole screen, for one slot or for several in a row. Before it opens, a marker goes to disk: a weak
 * tablet may close the app under the camera, and must then come back to the same slot.
 */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import { openCamera } from "../camera/camera.js";
import { icon } from "../fields/icons.js";
import { chooser } from "../fields/photo.js";
import { withOffset } from "../fields/moments.js";
import { t } from "../words.js";
import { clauseOf, fromFile, keep, linesOf, tell } from "./shots.js";
import { sentence } from "./visit.js";

const MARK = "camera:";
const CLOCK_MS = 10_000;

/** @typedef {import("./shots.js").Slot} Slot */

/** The slot whose photo was being taken when the app went away, if any. @param {any} resumed @returns {string | null} */
export const interrupted = (resumed) => (typeof resumed?.field === "string"
  && resumed.field.startsWith(MARK) ? resumed.field.slice(MARK.length) : null);

/** @param {import("./visit.js").Visit} visit @param {Slot} slot @param {(photoId: string) => void} [then] */
export async function takePhoto(visit, slot, then) {
  visit.photoProblem = null;
  /** @type {any} */
  const state = visit.camera = { slot, then, problem: "", busy: true, told: "", done: new Set(), at: null, placed: null };
  await aim(visit, state, slot);
  state.clock = setInterval(() => visit.app.render(), CLOCK_MS);
  visit.app.render();
}

/** Turns the open camera to a slot: where the app comes back to, and the position of the shot to come.
 * @param {import("./visit.js").Visit} visit @param {any} state @param {Slot} slot */
async function aim(visit, state, slot) {
  state.slot = slot;
  state.placed = visit.app.position().catch(() => null);
  state.placed.then((/** @type {any} */ at) => { if (at) { state.at = at; visit.app.render(); } });
  await visit.app.store.position(visit.id, { section: visit.section, field: MARK + slot.key });
}

/** The next of a row, such as the four sides: another open slot that shows the same kind of thing.
 * @param {import("./visit.js").Visit} visit @param {any} state */
const following = (visit, state) => visit.slots.find((/** @type {any} */ slot) => slot.needed && slot.shows === state.slot.shows && !slot.taken.length
  && !state.done.has(slot.key)) ?? null;

/** The camera over the whole screen, while it is open. @param {import("./visit.js").Visit} visit */
export function cameraSheet(visit) {
  const state = visit.camera;
  if (!state) return nothing;
  const { slot } = state;
  state.hold ??= (/** @type {Element | undefined} */ video) => { if (video) start(visit, state, /** @type {HTMLVideoElement} */ (video)); };
  const over = linesOf(visit, slot, { taken_at: withOffset(visit.app.now(), visit.app.timezone), taken_place: state.at, clause: clauseOf(visit, slot) });
  return html`<div class="camera" role="dialog" aria-modal="true" aria-label=${t.photos.of(slot.label)} data-camera=${slot.key}
    @keydown=${(/** @type {KeyboardEvent} */ e) => e.key === "Escape" && close(visit)}>
    <p class="lab" aria-live="polite">${state.told ? html`<span class="kept">${icon("i-check", "s")}${state.told}</span>` : nothing}${slot.label}${slot.in_view
      ? html`<span class="hint">${slot.in_view}</span>` : nothing}</p>
    <div class="view"><video playsinline muted ${ref(state.hold)}></video>
      ${state.problem ? nothing : html`<p class="over">${over.map((line) => html`<span>${line}</span>`)}</p>`}</div>
    ${state.problem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${state.problem}</p>` : state.busy
      ? html`<p role="status">${state.camera ? t.photos.keeping : t.photos.opening}</p>` : nothing}
    <div class="btnrow"><button class="btn" type="button" id="camera-close" @click=${() => close(visit)}>${t.photos.close}</button>
      ${state.camera?.torch ? html`<button class="btn" type="button" aria-pressed=${String(Boolean(state.lit))}
        @click=${() => light(visit, state)}>${t.photos.light}</button>` : nothing}
      ${state.problem ? chooser({ id: "camera-file", label: slot.label, file: (file) => { close(visit); fromFile(visit, slot, file, state.then); } })
        : html`<button class="btn go" type="button" ?disabled=${state.busy}
          @click=${() => shoot(visit, state)}>${icon("i-camera")}${t.photos.shutter}</button>`}</div></div>`;
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
    fail(visit, state, problem);
  }
  state.busy = false;
  visit.app.render();
}

/** Why there is no picture: on the camera's screen, and at the slot once that is closed.
 * @param {import("./visit.js").Visit} visit @param {any} state @param {any} problem */
function fail(visit, state, problem) {
  const kinds = /** @type {Record<string, string>} */ ({ denied: t.photos.refused, busy: t.photos.inUse, absent: t.photos.absent, dark: t.photos.dark });
  state.problem = kinds[problem?.kind] ?? (sentence(problem) || t.photos.failed);
  tell(visit, state.slot, state.problem);
}

/** @param {import("./visit.js").Visit} visit @param {any} state */
async function shoot(visit, state) {
  state.busy = true;
  visit.app.render();
  try {
    const { bytes } = await state.camera.capture();
    const { slot, placed, then } = state;
    state.done.add(slot.key);
    const next = following(visit, state);
    if (!next) close(visit);
    const kept = await keep(visit, slot, { bytes, from_library: false, placed }, then);
    if (next && visit.camera === state) {
      if (!kept) { close(visit); return; } // the slot says why
      state.told = t.photos.shot(slot.label);
      await aim(visit, state, next);
    }
  } catch (problem) {
    fail(visit, state, problem);
  }
  state.busy = false;
  visit.app.render();
}

/** @param {import("./visit.js").Visit} visit @param {any} state */
async function light(visit, state) {
  try {
    state.lit = await state.camera.torch(!state.lit);
  } catch {
    state.camera.torch = null; // it said it had one
  }
  visit.app.render();
}

/** @param {import("./visit.js").Visit} visit */
export function close(visit) {
  clearInterval(visit.camera?.clock);
  visit.camera?.camera?.close();
  visit.camera = null;
  visit.app.store.position(visit.id, { section: visit.section, field: null });
  visit.app.render();
}
