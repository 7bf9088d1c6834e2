/** Choosing a place on the village's plan: by a press, from the list of structures, or with the arrow keys. What is chosen is set by hand. */
import { html, nothing, render } from "../../vendor/lit-html/lit-html.js";
import { icon } from "../fields/icons.js";
import { spotOf } from "../place/distance.js";
import { t } from "../words.js";
import { mapData } from "./map_data.js";
import { Schematic } from "./schematic.js";

/** How far an arrow key moves the point: a foot. */
const STEP_M = 0.3048;

/**
 * Opens the plan over the screen.
 * @param {any} app @param {{lat: number, lon: number} | null} near what is known already
 * @returns {Promise<{lat: number, lon: number, source: "manual", structure?: string} | null>} null: nothing was chosen
 */
export async function choosePlace(app, near) {
  const { shapes, plane } = await mapData(app);
  const assignment = spotOf(app.visit?.assignment ?? {});
  const structures = shapes.filter(({ layer, id }) => layer === "structures" && id).sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
  const dialog = document.createElement("dialog");
  dialog.className = "choosing";
  const here = { point: near, structure: "" };
  const plan = new Schematic({ shapes, plane, changed: () => draw() });
  const start = near ?? assignment;
  plan.fit(start ? [start] : [], 3);

  const set = (/** @type {{lat: number, lon: number}} */ point, structure = "") => { here.point = point; here.structure = structure; draw(); };
  const pressed = (/** @type {any} */ spot, /** @type {any} */ shape) => (shape ? set(plane.from(.../** @type {[number, number]} */ (shape.lines[0][0])), shape.id) : set(spot));
  const pick = (/** @type {any} */ event) => {
    const shape = structures.find(({ id }) => id === event.target.value);
    if (!shape) return;
    set(plane.from(...shape.lines[0][0]), shape.id);
    plan.fit([/** @type {any} */ (here.point)], 3);
    draw();
  };
  const nudge = (/** @type {KeyboardEvent} */ event) => {
    const moves = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-STEP_M, 0], ArrowRight: [STEP_M, 0], ArrowUp: [0, STEP_M], ArrowDown: [0, -STEP_M] });
    if (!moves[event.key] || !here.point || !(/** @type {Element} */ (event.target).closest("svg"))) return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y] = plane.to(here.point);
    set(plane.from(x + moves[event.key][0], y + moves[event.key][1]));
  };
  const draw = () => render(html`<div class="stackcol" @keydown=${{ handleEvent: nudge, capture: true }}>
    <h2>${t.map.choose}</h2><p class="hint">${t.map.chooseHint}</p>
    ${plan.draw({ pins: assignment ? [{ ...assignment, id: "assignment", name: "" }] : [], point: here.point, label: t.map.choose, pressed })}
    ${structures.length ? html`<div class="field"><label for="choose-structure">${t.map.structure}</label><select class="txt" id="choose-structure" @change=${pick}>
      <option value="">${t.map.anywhere}</option>${structures.map(({ id }) => html`<option value=${id} ?selected=${id === here.structure}>${id}</option>`)}</select></div>` : nothing}
    <p class="read" role="status">${here.point ? html`<b>${here.structure || nothing} ${here.point.lat.toFixed(5)}, ${here.point.lon.toFixed(5)}</b>` : t.map.nothing}</p>
    <div class="btnrow"><button class="btn go" type="button" ?disabled=${!here.point} @click=${() => dialog.close("take")}>${t.map.take}</button>
      <button class="btn" type="button" @click=${() => dialog.close()}>${icon("i-back")}${t.map.cancel}</button></div></div>`, dialog);

  draw();
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => dialog.addEventListener("close", () => {
    dialog.remove();
    done(dialog.returnValue === "take" && here.point ? { ...here.point, source: "manual", ...(here.structure ? { structure: here.structure } : {}) } : null);
  }));
}
