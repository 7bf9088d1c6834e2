/** Taking and showing a photo. The picture itself never passes through here: the store keeps its bytes as captured. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import { exampleOf } from "./examples.js";
import { icon } from "./icons.js";

/** What the browser may hand over; HEIC is left out so that a phone converts it itself. */
export const ACCEPT = "image/jpeg,image/png";

/**
 * The two ways to a photo: the camera in the app, or a file of the tablet.
 * @param {{id: string, label: string, take: () => void, file: (file: File) => void, again?: boolean}} ways
 */
export const ways = ({ id, label, take, file, again = false }) => html`<div class="btnrow"><button class="btn" type="button"
    @click=${take}>${icon("i-camera")}${again ? t.photos.again : t.photos.shoot}<span class="sr">: ${label}</span></button>
    ${chooser({ id, label, file })}</div>`;

/** The way by a file alone. @param {{id: string, label: string, file: (file: File) => void}} way */
export function chooser({ id, label, file }) {
  const chosen = (/** @type {any} */ event) => { const [one] = event.target.files; if (one) file(one); event.target.value = ""; };
  return html`<label class="btn file">${icon("i-file", "s")}${t.photos.choose}<span class="sr">: ${label}</span><input class="sr"
    id=${id} type="file" accept=${ACCEPT} @change=${chosen}></label>`;
}

/**
 * A picture that is on this tablet; while it loads, or if it cannot be shown, words.
 * @param {string | null | undefined} url
 * @param {string} alt
 */
export const picture = (url, alt) => (url ? html`<img src=${url} alt=${alt} loading="lazy" decoding="async">`
  : html`<span class="nopic">${url === null ? t.photos.missing : ""}</span>`);

/** The place of a photo that is still to take: what a right one looks like, in words for who does not see it.
 * @param {string} inView @param {string} [shows] */
export const empty = (inView, shows) => html`<svg class="frame" viewBox="0 0 320 240" role="img" aria-label=${t.photos.example(inView)}>
  <rect x="3" y="3" width="314" height="234" rx="4" fill="var(--sunken)" stroke="var(--edge)" stroke-width="2.5" stroke-dasharray="9 7"></rect>
  <path d=${exampleOf(shows)} fill="none" stroke="var(--edge)" stroke-width="4" stroke-linejoin="round" stroke-linecap="round"
    transform="translate(16 12) scale(.9)"></path></svg>`;
