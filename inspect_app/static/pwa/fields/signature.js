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
 * @property {string} [pin]
 * @property {string} [repeat] the PIN once more
 * @property {boolean} [hasPin] undefined while it is asked
 * @property {any} [pad]
 * @property {Element} [canvas]
 * @property {(canvas: Element | undefined) => void} [hold]
 * @property {string} problem
 *
 * @typedef {object} Pins the PIN of the person who is signed in: a PIN proves something only of who chose it before
 * @property {() => Promise<boolean>} has
 * @property {(pin: string) => Promise<{set_at: string} | {left: number}>} choose
 * @property {(pin: string) => Promise<{set_at: string} | {left: number}>} attempt
 *
 * @param {{id: string, role: string, says: string, state: Signing, change: () => void, button?: string,
 *   pins?: Pins | null, witness: string,
 *   sign: (made: {name: string, typed?: string, points?: any, png?: ArrayBuffer | null, pin?: {set_at: string}, witness?: string}) => void}} ask
 *   pins: given where the person who is signed in signs; anybody else's typed name has the witness
 */
export function signature({ id, role, says, state, change, sign, button, pins = null, witness }) {
  const done = async () => {
    state.problem = "";
    const name = state.name.trim();
    if (!name) state.problem = t.sign.needName;
    else if (!state.typed && (!state.pad || state.pad.isEmpty())) state.problem = t.sign.needMark;
    const pin = !state.problem && state.typed && pins ? await proved(state, pins) : null;
    if (state.problem) return change();
    if (!state.typed) sign({ name, points: state.pad.toData(), png: await pngOf(state.pad) });
    else sign({ name, typed: name, ...(pin ? { pin } : { witness }) });
    state.pad = undefined;
  };
  const other = async () => {
    Object.assign(state, { typed: !state.typed, problem: "", pin: "", repeat: "" });
    change();
    if (state.typed && pins) { state.hasPin = await pins.has(); change(); }
  };
  return html`<div class="signing">
    ${says ? html`<p class="says">${says}</p>` : nothing}
    <div class="field"><label for="${id}-name">${t.sign.name}</label>
      <input class="txt" id="${id}-name" type="text" autocomplete="name" .value=${live(state.name)}
        @input=${(/** @type {any} */ e) => { state.name = e.target.value; }}></div>
    ${state.typed ? pins ? pinFields(id, state) : html`<p class="hint">${t.sign.typedHint(witness)}</p>` : html`<div class="field"><p class="lab">${t.sign.draw}</p>
      <canvas class="sign" role="img" aria-label=${t.sign.box(say(role))} ${ref(holder(state))}></canvas></div>`}
    ${state.problem ? html`<p class="told" role="alert">${icon("i-bad", "s")}${state.problem}</p>` : nothing}
    <div class="btnrow"><button class="btn sign" type="button" @click=${done}>${icon("i-sign")}${button ?? t.sign.sign(say(role))}</button>
      ${state.typed ? nothing : html`<button class="btn" type="button" @click=${() => state.pad?.clear()}>${t.sign.clear}</button>`}
      <button class="quiet" type="button" @click=${other}>${state.typed ? t.sign.drawn : pins ? t.sign.typedPin : t.sign.typed}</button></div></div>`;
}

/** The PIN as known, or chosen by typing it twice. @param {string} id @param {Signing} state */
function pinFields(id, state) {
  const one = (/** @type {"pin" | "repeat"} */ which) => html`<div class="field"><label for="${id}-${which}">${which === "pin" ? t.sign.pin : t.sign.pinAgain}</label>
    <input class="txt" id="${id}-${which}" type="password" inputmode="numeric" autocomplete="off" maxlength="8" aria-describedby="${id}-pin-t" .value=${live(state[which] ?? "")}
      @input=${(/** @type {any} */ e) => { state[which] = e.target.value; }}></div>`;
  if (state.hasPin === undefined) return nothing;
  return html`<p class="hint" id="${id}-pin-t">${state.hasPin ? t.sign.pinHint : t.sign.pinNew}</p>${one("pin")}${state.hasPin ? nothing : one("repeat")}`;
}

/** @param {Signing} state @param {Pins} pins @returns {Promise<{set_at: string} | null>} null with the problem said */
async function proved(state, pins) {
  const { pin = "", repeat = "" } = state;
  if (!/^\d{4,8}$/.test(pin)) state.problem = t.sign.pinShape;
  else if (!state.hasPin && pin !== repeat) state.problem = t.sign.pinDiffers;
  if (state.problem) return null;
  const tried = await (state.hasPin ? pins.attempt(pin) : pins.choose(pin));
  state.hasPin = await pins.has();
  Object.assign(state, { pin: "", repeat: "" });
  if ("set_at" in tried) return tried;
  state.problem = t.sign.pinWrong(tried.left);
  return null;
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
