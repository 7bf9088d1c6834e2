/** A position with its accuracy, from the tablet or typed. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { t } from "../words.js";
import { icon } from "./icons.js";

/** Metres from which a position is too vague to find a lateral again. */
const VAGUE_M = 100;

/** @param {import("./field.js").Ask} ask */
export function place(ask) {
  const { lat = "", lon = "", accuracy_m: accuracy } = ask.value ?? {};
  const take = async () => {
    ask.setPart({ busy: true });
    try {
      const found = await ask.position();
      ask.setPart(undefined);
      ask.set({ lat: found.lat, lon: found.lon, accuracy_m: found.accuracy_m }, { done: true });
    } catch (problem) {
      ask.setPart({ told: /** @type {any} */ (problem)?.kind === "denied" ? t.place.refused : t.place.missing });
    }
  };
  const type = (/** @type {"lat" | "lon"} */ which, /** @type {string} */ typed) => {
    const next = { lat, lon, [which]: typed };
    ask.set(next.lat === "" && next.lon === "" ? null : next);
  };
  // A half-typed "-8" must stay as it is typed; only what is finished becomes a number.
  const settle = () => { if (ask.value) ask.set({ ...ask.value, lat: asNumber(lat), lon: asNumber(lon) }, { done: true }); };
  const told = ask.part?.told ?? (outside(ask.value) ? t.place.outside : Number(accuracy) > VAGUE_M ? t.place.poor(Math.round(accuracy)) : "");
  return html`<div class="spot">
    ${lat !== "" && accuracy !== undefined && accuracy !== null
      ? html`<p class="read"><b>${Number(lat).toFixed(5)}, ${Number(lon).toFixed(5)}</b> <span class="meta">${t.place.good(Math.round(accuracy))}</span></p>` : nothing}
    <button class="btn" type="button" id=${ask.id} ?disabled=${ask.part?.busy} @click=${take} @focus=${ask.focused}
      aria-describedby=${ask.describedBy || nothing}>
      ${icon("i-pin")}${ask.part?.busy ? t.place.finding : lat !== "" ? t.place.again : t.place.take}</button>
    ${told ? html`<p class="told" role="status">${icon("i-bad", "s")}${told}</p>` : nothing}
    <details class="more" ?open=${lat !== "" && (accuracy === null
      || accuracy === undefined)}><summary>${t.place.typed}</summary><div class="pair">
      ${/** @type {["lat", "lon"]} */ (["lat", "lon"]).map((which) => html`<div class="field"><label for="${ask.id}-${which}">${t.place[which]}</label>
        <input class="txt" id="${ask.id}-${which}" type="text" inputmode="text" .value=${live(String(which === "lat" ? lat : lon))}
          @input=${(/** @type {any} */ e) => type(which, e.target.value.trim())} @change=${settle}></div>`)}
    </div></details></div>`;
}

/** @param {any} typed */
const asNumber = (typed) => (String(typed).trim() !== "" && Number.isFinite(Number(typed)) ? Number(typed) : typed);

/** @param {any} value */
function outside(value) {
  if (!value || value.lat === "" || value.lon === "") return false;
  return !(Math.abs(Number(value.lat)) <= 90 && Math.abs(Number(value.lon)) <= 180);
}
