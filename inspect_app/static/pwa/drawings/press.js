/** A part of a drawing that is pressed, by finger or by Enter and space. */
import { svg } from "../../vendor/lit-html/lit-html.js";

/**
 * @param {(() => void) | null} go null where the drawing is only shown
 * @param {string} name for the ear
 * @param {any} body
 * @param {(key: string) => (() => void) | null} [other] what further keys do
 */
export function pressed(go, name, body, other) {
  if (!go) return body;
  const key = (/** @type {KeyboardEvent} */ event) => {
    const act = event.key === "Enter" || event.key === " " ? go : other?.(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  };
  return svg`<g class="press" role="button" tabindex="0" aria-label=${name} @click=${go} @keydown=${key}>${body}</g>`;
}
