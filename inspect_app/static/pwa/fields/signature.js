/** A signature: drawn in a field, or by typing the name, which counts the same. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import SignaturePad from "../../vendor/signature_pad/dist/signature_pad.min.js";
import { t } from "../words.js";
import { icon } from "./icons.js";
import { say } from "./say.js";

/**
 * @typedef {object} Signing what a half-made signature holds; kept by the screen
 * @property {string} name
 * @property {boolean} typed
 * @property {any} [pad]
 * @property {Element} [canvas]
 * @property {(canvas: Element | undefined) => void} [hold]
 * @property {string} problem
 *
 * @param {{id: string, role: string, says: string, state: Signing, change: () => void, sign: (made: {name: string, typed?: string, points?: any, png?: ArrayBuffer | null}) => void, button?: string}} ask
 */
export function signature({ id, role, says, state, change, sign, button }) {
  const done = async () => {
    state.problem = "";
    const name = state.name.trim();
    if (!name) state.problem = t.sign.needName;
    else if (!state.typed && (!state.pad || state.pad.isEmpty())) state.problem = t.sign.needMark;
    if (state.problem) return change();
    sign(state.typed ? { name, typed: name } : { name, points: state.pad.toData(), png: await pngOf(state.pad) });
    state.pad = undefined;
  };
  return html`<div class="signing">
    ${says ? html`<p class="says">${says}</p>` : nothing}
    <div class="field"><label for="${id}-name">${t.sign.name}</label>
      <input class="txt" id="${id}-name" type="text" autocomplete="name" .value=${live(state.name)}
        @input=${(/** @type {any} */ e) => { state.name = e.target.value; }}></div>
    ${state.typed ? html`<p class="hint">${t.sign.typedHint}</p>` : html`<div class="field"><p class="lab">${t.sign.draw}</p>
      <canvas class="sign" role="img" aria-label=${t.sign.box(say(role))} ${ref(holder(state))}></canvas></div>`}
    ${state.problem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${state.problem}</p>` : nothing}
    <div class="btnrow"><button class="btn sign" type="button" @click=${done}>${icon("i-sign")}${button ?? t.sign.sign(say(role))}</button>
      ${state.typed ? nothing : html`<button class="btn" type="button" @click=${() => state.pad?.clear()}>${t.sign.clear}</button>`}
      <button class="quiet" type="button" @click=${() => { state.typed = !state.typed; state.problem = ""; change(); }}>${state.typed ? t.sign.drawn : t.sign.typed}</button></div></div>`;
}

/** One function for the life of a signature: another one at each drawing of the screen would empty the canvas.
 * @param {Signing} state @returns {(canvas: Element | undefined) => void} */
const holder = (state) => (state.hold ??= (canvas) => {
  state.canvas = canvas;
  if (!canvas) { state.pad?.off(); state.pad = undefined; return; }
  // Its size is known once it stands in the page, which is after this call.
  requestAnimationFrame(() => { if (state.canvas === canvas && canvas.isConnected) attach(state,
    /** @type {HTMLCanvasElement} */ (canvas)); });
});

/** @param {Signing} state @param {HTMLCanvasElement} canvas */
function attach(state, canvas) {
  if (state.pad?.canvas === canvas) return;
  const { width } = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, width) * ratio;
  canvas.height = 160 * ratio;
  canvas.getContext("2d")?.scale(ratio, ratio);
  // Black on white whatever the display: the mark is printed on the report.
  state.pad = new SignaturePad(canvas, { penColor: "black", backgroundColor: "white", minWidth: 1, maxWidth: 3 });
}

/** @param {any} pad @returns {Promise<ArrayBuffer | null>} */
const pngOf = (pad) => new Promise((resolve) => pad.canvas.toBlob(async (/** @type {Blob | null} */ blob) => resolve(blob ? await blob.arrayBuffer() : null), "image/png"));

/** @returns {Signing} */
export const unsigned = (name = "") => ({ name, typed: false, problem: "" });
