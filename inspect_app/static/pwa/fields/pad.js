/** The number pad with the fractions of a tape. It writes into the box that has the focus and never takes the focus away. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import { icon } from "./icons.js";
import { KEYS, pressed } from "./keys.js";

/**
 * @param {{target: string, next?: {id: string, label: string} | null, go: (id: string) => void}} pad target: id of the box
 */
export function pad({ target, next, go }) {
  const press = (/** @type {string} */ key) => {
    const box = /** @type {HTMLInputElement | null} */ (document.getElementById(target));
    if (!box) return;
    if (document.activeElement !== box) box.focus();
    const { text, at } = pressed(box.value, key, box.selectionStart ?? undefined, box.selectionEnd ?? undefined);
    box.value = text;
    box.setSelectionRange(at, at);
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const stay = (/** @type {Event} */ event) => event.preventDefault();
  return html`<div class="pad" role="group" aria-label=${t.pad.name} @pointerdown=${stay} @mousedown=${stay}>
    ${KEYS.map((key) => html`<button type="button" class=${key.includes("/") ? "f" : ""} aria-label=${key === "erase" ? t.pad.erase
      : nothing}
      @click=${() => press(key)}>${face(key)}</button>`)}
    ${next ? html`<button type="button" class="next" @click=${() => go(next.id)}>${t.pad.next(next.label)} ${icon("i-next", "s")}</button>` : nothing}
  </div>`;
}

/** @param {string} key */
function face(key) {
  if (key === "erase") return icon("i-del");
  if (!key.includes("/")) return key;
  const [above, below] = key.split("/");
  return html`<span class="frac"><sup>${above}</sup>⁄<sub>${below}</sub></span>`;
}
