/**
 * A field as it stands on the screen: label, hint, the control of its kind, what could not be read, and the findings that
 * read it. A field that was done before folds into one row; it opens on a press and never folds under a finger.
 *
 * @typedef {object} Ask everything a control needs; the screen makes one for each field it draws
 * @property {any} field the field with its spec merged in
 * @property {string} name
 * @property {string} id of the input
 * @property {string} label
 * @property {string} [hint]
 * @property {any} value as typed
 * @property {(value: any, how?: {done?: boolean}) => void} set keeps the value; done: nothing more is coming for now
 * @property {() => void} done
 * @property {any} [part] what is half typed and not a value yet
 * @property {(part: any) => void} setPart
 * @property {string} [unit] chosen before a number was typed
 * @property {(unit: string) => void} setUnit
 * @property {boolean} pad whether our number pad is up instead of the tablet's keyboard
 * @property {() => void} focused
 * @property {boolean} folded
 * @property {() => void} open
 * @property {boolean} required
 * @property {string} copied where it was copied from, until it is touched
 * @property {string} message
 * @property {string} [describedBy]
 * @property {string} [no] its number on paper, where that is to be seen
 * @property {any} [why] what its answer is for, when that was asked
 * @property {any} [after] findings, as the screen draws them
 * @property {{outcome: string, figure: string} | null} [mark] worst outcome that speaks of it, for the folded row
 * @property {any} [padUnder] the number pad, on a phone
 * @property {number} [row] from 1
 * @property {string} [list]
 * @property {Record<string, any>} [rowValues]
 * @property {() => Date} now
 * @property {string} timezone
 * @property {(heard: (fixes: number, wanted: number) => void) => Promise<any>} position the mean of several fixes, as place/place.js gives it
 * @property {(near: {lat: number, lon: number} | null) => Promise<{lat: number, lon: number, source: string} | null>} [choosePlace] a place set by hand on the village's plan
 * @property {{name: string, latitude: number, longitude: number}} [village]
 * @property {(found: (text: string) => void) => void} [scan] opens the camera to read the code on a label
 * @property {boolean} [receiver] whether a survey receiver feeds this tablet
 * @property {any} [special] the drawn control of a list, a photo or a signature, made by the screen
 */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { t } from "../words.js";
import { choice } from "./choice.js";
import { choices } from "./choices.js";
import { clock } from "./clock.js";
import { date } from "./date.js";
import { icon, outcomeClass, outcomeIcon } from "./icons.js";
import { measure } from "./measure.js";
import { names } from "./names.js";
import { number } from "./number.js";
import { place } from "./place.js";
import { shownValue } from "./shown.js";
import { text } from "./text.js";
import { time } from "./time.js";
import { yesno } from "./yesno.js";

/** @type {Record<string, (ask: Ask) => any>} */
const CONTROLS = { measure, number, integer: number, choice, choices, bool3: yesno, bool: yesno, text, date, time, clock, place, list: names };

/** Kinds whose parts have labels of their own, so the name of the field is a legend. */
const GROUPED = new Set(["choice", "choices", "bool3", "bool", "place", "list", "photo", "signature"]);

/** Kinds that fold once they are done. */
export const FOLDS = new Set(["measure", "number", "integer", "text", "date", "time", "clock", "choice", "choices"]);

/** Kinds whose values are words, which stand smaller than figures when they are long. */
const WORDY = new Set(["text", "choice", "choices"]);

/** Kinds that the number pad writes. */
export const PADDED = new Set(["measure", "number", "integer"]);

/** @param {Ask} ask */
export function field(ask) {
  const kind = ask.field.type;
  if (ask.folded) return folded(ask);
  const described = [ask.hint && `${ask.id}-t`, ask.message && `${ask.id}-m`].filter(Boolean).join(" ");
  const control = ask.special ?? (CONTROLS[kind] ?? text)({ ...ask, describedBy: described });
  const label = html`${numbered(ask)}${ask.label}${ask.required ? nothing : html` <span class="opt-note">${t.form.optional}</span>`}`;
  const inner = html`
    ${GROUPED.has(kind) ? html`<legend class="lab">${label}</legend>` : html`<label for=${ask.id}>${label}</label>`}
    ${ask.hint ? html`<p class="hint" id="${ask.id}-t">${ask.hint}</p>` : nothing}
    ${ask.why ?? nothing}
    ${control}
    ${ask.copied ? html`<p class="hint">${ask.copied}</p>` : nothing}
    ${ask.message ? html`<p class="told" id="${ask.id}-m">${icon("i-bad", "s")}${ask.message}</p>` : nothing}
    ${ask.padUnder ?? nothing}
    ${ask.after ?? nothing}`;
  // A group of radios has no input of its own: the id names the group.
  return GROUPED.has(kind)
    ? html`<fieldset class="field ${marked(ask)}" lang=${ask.field.lang ?? nothing} id=${kind === "place" ? nothing : ask.id} data-field=${ask.name} data-row=${ask.row ?? nothing}>${inner}</fieldset>`
    : html`<div class="field ${marked(ask)}" lang=${ask.field.lang ?? nothing} data-field=${ask.name} data-row=${ask.row ?? nothing}>${inner}</div>`;
}

/** The number on paper, while something is copied from there. @param {Ask} ask */
const numbered = (ask) => (ask.no ? html`<span class="meta">${ask.no}</span> ` : nothing);

/** The border of a box takes the colour of a violation only; lesser outcomes stand beside it. @param {Ask} ask */
const marked = (ask) => (ask.message ? "is-unread" : ask.mark?.outcome === "violation" ? "has-violation" : "");

/** @param {Ask} ask */
function folded(ask) {
  const { value, unit } = shownValue(ask.field, ask.value, { timezone: ask.timezone, row: ask.rowValues });
  const outcome = ask.mark?.outcome;
  return html`<div class="field" lang=${ask.field.lang ?? nothing} data-field=${ask.name} data-row=${ask.row ?? nothing} data-folded>
    <button type="button" class="rowfield ${outcomeClass(outcome ?? "pass")} ${outcome ? "" : "plain"} ${value.length > (WORDY.has(ask.field.type) ? 10 : 14) ? "words" : ""}"
      @click=${ask.open}>
      <span><b>${numbered(ask)}${ask.label}</b>${ask.copied ? html`<span class="hint">${ask.copied}</span>` : ask.mark?.figure
        ? html`<span class="hint nb">${ask.mark.figure}</span>` : nothing}</span>
      <span class="v">${value}${unit ? html` <small>${unit}</small>` : nothing}</span>
      ${outcome ? outcomeIcon(outcome) : icon("i-check")}
    </button>${ask.why ?? nothing}${ask.after ?? nothing}</div>`;
}
