/** Taking and showing a photo. The picture itself never passes through here: the store keeps its bytes as captured. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import { icon } from "./icons.js";

/** What the browser may hand over; HEIC is left out so that a phone converts it itself. */
export const ACCEPT = "image/jpeg,image/png";

/**
 * The two ways to a photo: the camera in the app, or a file of the tablet.
 * @param {{id: string, label: string, take: () => void, file: (file: File) => void, again?: boolean, primary?: boolean}} ways
 */
export function ways({ id, label, take, file, again = false }) {
  const chosen = (/** @type {any} */ event) => { const [one] = event.target.files; event.target.value = ""; if (one) file(one); };
  return html`<div class="btnrow"><button class="btn" type="button"
    @click=${take}>${icon("i-camera")}${again ? t.photos.again : t.photos.shoot}<span class="sr">: ${label}</span></button>
    <label class="btn file">${icon("i-file",
      "s")}${t.photos.choose}<span class="sr">: ${label}</span><input class="sr" id=${id} type="file" accept=${ACCEPT} @change=${chosen}></label></div>`;
}

/**
 * A picture that is on this tablet; while it loads, or if it cannot be shown, words.
 * @param {string | null | undefined} url
 * @param {string} alt
 */
export const picture = (url, alt) => (url ? html`<img src=${url} alt=${alt}>`
  : html`<span class="nopic">${url === null ? t.photos.missing : ""}</span>`);

/** The place of a photo that is still to take. @param {string} inView */
export const empty = (inView) => html`<svg class="frame" viewBox="0 0 320 240" role="img" aria-label=${t.photos.example(inView)}>
  <rect x="3" y="3" width="314" height="234" rx="4" fill="var(--sunken)" stroke="var(--edge)" stroke-width="2.5" stroke-dasharray="9 7"></rect>
  <g fill="none" stroke="var(--edge)" stroke-width="4" stroke-linejoin="round"><path d="M108 96h26l10 -16h32l10 16h26v72H108z"></path><circle cx="160" cy="130" r="22"></circle></g></svg>`;

/** Reads a chosen file at once: later the browser may no longer hand it out. @param {File} file
 * @returns {Promise<{bytes: ArrayBuffer, mime: string}>} */
export async function bytesOf(file) {
  if (!ACCEPT.split(",").includes(file.type)) throw new Error(t.photos.wrongKind);
  return { bytes: await file.arrayBuffer(), mime: file.type };
}
