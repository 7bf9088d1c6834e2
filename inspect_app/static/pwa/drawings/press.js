/** A part of a drawing that is pressed, by finger or by Enter and space. */
import { nothing, svg } from "../../vendor/lit-html/lit-html.js";

/** The step of an arrow key, forwards or back. @param {string} key */
export const stepOfArrow = (key) => /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 })[key] ?? 0;

/**
 * @param {(() => void) | null} go null where the drawing is only shown
 * @param {string} name for the ear
 * @param {any} body
 * @param {{part?: string, walk?: (step: number, part: Element) => void, hold?: (event: PointerEvent) => void, open?: boolean}} [more]
 *   `part` is what the part is known by, `walk` what arrow keys do, `hold` what a finger does that stays, `open` whether it is chosen
 */
export function pressed(go, name, body, { part = "", walk, hold, open } = {}) {
  if (!go) return body;
  const key = (/** @type {KeyboardEvent} */ event) => {
    const step = walk ? stepOfArrow(event.key) : 0;
    if (step) walk?.(step, /** @type {Element} */ (event.currentTarget));
    else if (event.key === "Enter" || event.key === " ") go();
    else return;
    event.preventDefault();
  };
  return svg`<g class="press" role="button" tabindex="0" data-part=${part} aria-label=${name} aria-expanded=${open ?? nothing}
    @click=${go} @keydown=${key} @pointerdown=${hold} @touchmove=${hold ? stay : null}>${body}</g>`;
}

/** What is dragged does not scroll the page: parts of an SVG take no touch-action from a style sheet. @param {TouchEvent} event */
const stay = (event) => { if (event.cancelable) event.preventDefault(); };
