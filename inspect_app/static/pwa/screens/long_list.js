/** A list of any length: only the rows near the window stand in the page, so that 10,000 scroll like 20. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import { repeat } from "../../vendor/lit-html/directives/repeat.js";

/** Height of a row in rem, as .long in app.css has it: two lines and one, at any size of text. */
const ROW_REM = 6.5;
/** Rows above and below the window, so that a flick does not outrun them; and how many it moves by. */
const SPARE = 12;
const STEP = 4;

export class LongList {
  /** @param {() => void} changed draws the screen again */
  constructor(changed) {
    this.changed = changed;
    this.from = 0;
    this.row = 0;
    /** @type {Element | undefined} */
    this.element = undefined;
  }

  /**
   * @template T
   * @param {T[]} items
   * @param {(item: T) => any} draw one `li`
   * @param {(item: T) => string} key
   */
  show(items, draw, key) {
    this.row ||= ROW_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const many = Math.ceil(innerHeight / this.row) + 2 * SPARE;
    const from = Math.max(0, Math.min(this.from, items.length - many));
    const to = Math.min(items.length, from + many);
    // The room of all the others; a style set by script is allowed where one in the markup is not.
    const room = `padding-top:${from * this.row}px;padding-bottom:${(items.length - to) * this.row}px`;
    return html`<ul class="jobs long" .style=${room} ${ref(this.hold)}>${repeat(items.slice(from, to), key, draw)}</ul>`;
  }

  /** @param {Element | undefined} element gone when the screen is left */
  hold = (element) => {
    if (element === this.element) return;
    this.element = element;
    if (element) { addEventListener("scroll", this.scrolled, { passive: true }); addEventListener("resize", this.resized); }
    else { removeEventListener("scroll", this.scrolled); removeEventListener("resize", this.resized); }
  };

  scrolled = () => {
    if (!this.element) return;
    const first = Math.floor(-this.element.getBoundingClientRect().top / this.row) - SPARE;
    const from = Math.max(0, Math.floor(first / STEP) * STEP);
    if (from !== this.from) { this.from = from; this.changed(); }
  };

  resized = () => { this.row = 0; this.changed(); };
}
