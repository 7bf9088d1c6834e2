/** The camera over the whole screen, looking for the code on a label. Typing the text is always the other way. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import { openReader } from "../camera/barcode.js";
import { openCamera } from "../camera/camera.js";
import { icon } from "../fields/icons.js";
import { t } from "../words.js";

const PAUSE_MS = 150;

/** @param {import("./visit.js").Visit} visit @param {{id: string, label: string, found: (text: string) => void}} what */
export function scanCode(visit, what) {
  visit.scan = { ...what, problem: "" };
  visit.app.render();
}

/** @param {import("./visit.js").Visit} visit */
export function scanSheet(visit) {
  const state = visit.scan;
  if (!state) return nothing;
  state.hold ??= (/** @type {Element | undefined} */ video) => { if (video && !state.video) { state.video = video; look(visit, state); } };
  return html`<div class="camera" role="dialog" aria-modal="true" aria-label=${t.scan.of(state.label)} data-scan
    @keydown=${(/** @type {KeyboardEvent} */ e) => e.key === "Escape" && leave(visit, state)}>
    <p class="lab">${state.label}<span class="hint">${t.scan.hint}</span></p>
    <div class="view"><video playsinline muted ${ref(state.hold)}></video></div>
    ${state.problem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${state.problem}</p>` : html`<p role="status">${t.scan.looking}</p>`}
    <div class="btnrow"><button class="btn go" type="button" id="scan-close" @click=${() => leave(visit, state)}>${t.scan.type}</button></div></div>`;
}

/** @param {import("./visit.js").Visit} visit @param {any} state */
async function look(visit, state) {
  document.getElementById("scan-close")?.focus();
  try {
    state.camera = await openCamera(state.video);
    state.reader = await openReader();
    while (visit.scan === state) {
      const text = await state.reader.read(state.video);
      if (text && visit.scan === state) { leave(visit, state); state.found(text); return; }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    end(state); // left while it was opening
  } catch (problem) {
    if (visit.scan !== state) return end(state);
    const kinds = /** @type {Record<string, string>} */ ({ denied: t.scan.refused, busy: t.photos.inUse, absent: t.scan.refused });
    state.problem = kinds[problem?.kind] ?? t.scan.none;
    visit.app.render();
  }
}

/** @param {any} state */
function end(state) {
  state.camera?.close();
  state.reader?.close();
}

/** Back to the box, where the text can be typed. @param {import("./visit.js").Visit} visit @param {any} state */
function leave(visit, state) {
  end(state);
  visit.scan = null;
  visit.app.render();
  visit.app.focus(state.id);
}
