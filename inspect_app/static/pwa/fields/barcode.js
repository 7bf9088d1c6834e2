/** The text of a label: read by the camera or typed, which is the same. It stays exactly as it is, leading zeros too. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { t } from "../words.js";
import { icon } from "./icons.js";

/** @param {import("./field.js").Ask} ask */
export const barcode = (ask) => html`<div class="code"><input class="txt" id=${ask.id} type="text" autocomplete="off" autocapitalize="characters" spellcheck="false"
    .value=${live(ask.value ?? "")} aria-describedby=${ask.describedBy || nothing} @focus=${ask.focused} @change=${ask.done}
    @input=${(/** @type {any} */ event) => ask.set(event.target.value === "" ? null : event.target.value)}>
  ${ask.scan ? html`<button class="btn" type="button" @click=${() => ask.scan?.((text) => ask.set(text, { done: true }))}>${icon("i-camera", "s")}${t.scan.go}<span
    class="sr">: ${ask.label}</span></button>` : nothing}</div>`;
