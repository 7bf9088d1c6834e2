/** A position with its accuracy: the mean of several fixes of the tablet, or a pin set by hand, which says so and claims none. */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { live } from "../../vendor/lit-html/directives/live.js";
import { t } from "../words.js";
import { icon } from "./icons.js";
import { positionMessage } from "./position.js";

/** @param {import("./field.js").Ask} ask */
export function place(ask) {
  const { lat = "", lon = "", accuracy_m: accuracy, source, simulated } = ask.value ?? {};
  const isMeasured = accuracy !== undefined && accuracy !== null;
  const isManual = lat !== "" && !isMeasured;
  const take = async () => {
    ask.setPart({ busy: true });
    try {
      const found = await ask.position((fixes, of) => ask.setPart({ busy: true, fixes, of }));
      ask.setPart(undefined);
      // A survey receiver reaches the browser by the same door as a made-up position: the tablet's settings tell them apart.
      const { simulated: foreign, ...kept } = found;
      ask.set(foreign && ask.receiver ? { ...kept, source: "receiver" } : found, { done: true });
    } catch (problem) {
      const { kind, accuracy_m: good = 0 } = /** @type {any} */ (problem);
      ask.setPart({ told: kind === "denied" ? t.place.refused : kind === "poor" ? t.place.poor(Math.round(good)) : t.place.missing });
    }
  };
  const choose = async () => {
    const chosen = await ask.choosePlace?.(isWhole ? { lat: Number(lat), lon: Number(lon) } : null);
    // The structure's name stays with its own field: this one is where the visit is.
    if (chosen) ask.set({ lat: chosen.lat, lon: chosen.lon, source: chosen.source }, { done: true });
  };
  const type = (/** @type {"lat" | "lon"} */ which, /** @type {string} */ typed) => {
    const next = { lat, lon, [which]: typed, source: "manual" };
    if (ask.part?.told) ask.setPart({ byHand: true });
    ask.set(next.lat === "" && next.lon === "" ? null : next);
  };
  // A half-typed "-8" must stay as it is typed; only what is finished becomes a number.
  const settle = () => { if (ask.value) ask.set({ ...ask.value, lat: asNumber(lat), lon: asNumber(lon) }, { done: true }); };
  const told = ask.part?.told ?? (positionMessage(ask.value, ask.village) || (simulated ? t.place.simulated : ""));
  const about = [isMeasured ? t.place.good(Math.round(accuracy)) : t.place.manual, ask.value?.fixes > 1 && t.place.fixes(ask.value.fixes),
    source === "receiver" && t.place.receiver].filter(Boolean).join(", ");
  const isWhole = lat !== "" && lon !== "" && Number.isFinite(Number(lat)) && Number.isFinite(Number(lon));
  return html`<div class="spot">
    ${isWhole ? html`<p class="read"><b>${Number(lat).toFixed(5)}, ${Number(lon).toFixed(5)}</b> <span class="meta">${about}</span></p>` : nothing}
    <button class="btn" type="button" id=${ask.id} ?disabled=${ask.part?.busy} @click=${take} @focus=${ask.focused}
      aria-describedby=${ask.describedBy || nothing}>
      ${icon("i-pin")}${ask.part?.busy ? ask.part.fixes ? t.place.found(ask.part.fixes, ask.part.of) : t.place.finding
        : lat !== "" ? t.place.again : t.place.take}</button>
    ${ask.choosePlace ? html`<button class="btn" type="button" @click=${choose}>${icon("i-map")}${t.map.choose}</button>` : nothing}
    ${told ? html`<p class="told" role="status">${icon("i-bad", "s")}${told}</p>` : nothing}
    <details class="more" ?open=${isManual || Boolean(ask.part?.told || ask.part?.byHand)}><summary>${t.place.typed}</summary><div class="pair">
      ${/** @type {["lat", "lon"]} */ (["lat", "lon"]).map((which) => html`<div class="field"><label for="${ask.id}-${which}">${t.place[which]}</label>
        <input class="txt" id="${ask.id}-${which}" type="text" inputmode="text" autocomplete="off" .value=${live(String(which === "lat" ? lat : lon))}
          @input=${(/** @type {any} */ e) => type(which, e.target.value.trim())} @change=${settle}></div>`)}
    </div></details></div>`;
}

/** @param {any} typed */
const asNumber = (typed) => (String(typed).trim() !== "" && Number.isFinite(Number(typed)) ? Number(typed) : typed);
