/** A text that came with data, for a page: in the language spoken, or marked as the English that it is. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { languageOf, say } from "./say.js";

/** @param {string | null | undefined} text */
export const told = (text) => (languageOf(text) ? html`<span lang="en">${text}</span>` : say(text));
