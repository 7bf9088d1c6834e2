/**
 * Stop-work: a reading of the air past its limit takes the whole screen until everyone is out. The limit is the rule's; this
 * file only knows that a violation on a gas reading is about the people at the cover, not about the record.
 */
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { ref } from "../../vendor/lit-html/directives/ref.js";
import { icon } from "../fields/icons.js";
import { withOffset } from "../fields/moments.js";
import { say, sayFigure } from "../fields/say.js";
import { english, t } from "../words.js";
import { newRowGroup } from "./asks.js";
import { orderFigure } from "./drawn_gas.js";
import { stopOrder } from "./findings.js";

/** @param {import("./visit.js").Visit} visit */
export function stopSheet(visit) {
  const order = visit.rested && visit.value("gas", "stop_work") !== "yes" ? stopOrder(visit.findings) : null;
  if (!order) return nothing;
  const out = async () => {
    const at = withOffset(visit.app.now(), visit.app.timezone);
    const reading = visit.values[newRowGroup("gas")] ?? {};
    visit.set("gas", "stop_work", "yes", { done: true, undo: false });
    const kept = await visit.attempt(async () => {
      await visit.app.store.commit(visit.id, "gas");
      // The reading that sent everyone out is evidence; whoever runs does not press Keep first.
      if (Object.keys(reading).length) await visit.app.store.addRow(visit.id, "gas", { time: at, ...reading });
      await visit.app.store.addRow(visit.id, "notes", {
        // What is kept is English whatever is spoken: the office reads it.
        note: `${english.stop.note} ${order.message ?? ""}`.trim(), noted_at: at, noted_by: visit.app.person?.name ?? "",
      });
    });
    if (kept) visit.clearRow(newRowGroup("gas"));
  };
  const figure = orderFigure(visit) || sayFigure(order.figure);
  const hold = (/** @type {KeyboardEvent} */ event) => { if (event.key === "Tab") event.preventDefault(); };
  return html`<div class="stopwork" role="alertdialog" aria-modal="true" aria-labelledby="stop-h" aria-describedby="stop-t" @keydown=${hold}>
    <p class="shape">${icon("o-violation", "o")}</p><h2 id="stop-h">${t.stop.head}</h2>
    <p id="stop-t">${figure ? html`<b>${figure}</b>` : html`<span>${say(order.message)}</span>`}<span>${t.stop.lead}</span></p>
    <button class="btn" type="button" id="everyone-out" ${ref(focus)} @click=${out}>${t.stop.out}</button></div>`;
}

/** @param {Element | undefined} button */
function focus(button) {
  if (button) requestAnimationFrame(() => /** @type {HTMLElement} */ (button).focus());
}
