/** Icons and outcomes as drawn everywhere: word, shape, glyph and colour together. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";

/** An icon of the sprite in index.html; decorative, so the words beside it carry the meaning.
 * @param {string} name @param {string} [extra] more classes */
export const icon = (name, extra = "") => html`<svg class="ic ${extra}" aria-hidden="true" focusable="false"><use href="#${name}"></use></svg>`;

/** @type {Record<string, string>} outcomes whose class is shorter than their name */
const CLASS = { not_evaluated: "is-open", not_applicable: "is-none" };

/** @param {string | null | undefined} outcome */
export const outcomeClass = (outcome) => (outcome ? CLASS[outcome] ?? `is-${outcome}` : "is-none");

/** @param {string} outcome @param {string} [extra] */
export const outcomeIcon = (outcome, extra = "") => icon(`o-${outcome}`, `o ${extra}`);

/** Icon and word. @param {string} outcome @param {string} [words] */
export const outcomeWord = (outcome, words) => html`<span class="outcome ${outcomeClass(outcome)}">${outcomeIcon(outcome)}${words ?? t.outcomes[/** @type {keyof typeof t.outcomes} */ (outcome)]}</span>`;

/** An icon of a kind of visit. @param {string} kind */
export const kindIcon = (kind) => icon({ lateral: "k-lateral", tap: "k-tap", downspout: "k-down", manhole: "k-manhole" }[kind] ?? "k-mark",
  "xl");

/** Text in which no name breaks at its hyphen: CM-03, MH-112. @param {string} text */
export const unbroken = (text) => String(text).split(/(\s*\S*\p{L}-\d\S*)/u).map((part, n) => (n % 2 ? html`${/^\s/.test(part) ? " " : ""}<span class="nb">${part.trim()}</span>` : part));

/** Text that must not break between number and unit. @param {string} text */
export const nb = (text) => (text ? html`<span class="nb">${text}</span>` : nothing);
