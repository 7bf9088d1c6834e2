// The tablet's drawings in the office, read-only, from the readings that the page carries. Without it the values stand in the page.
import { render } from "./vendor/lit-html/lit-html.js";
import { useUnits } from "./pwa/fields/reading.js";
import { readPack, settingsOn } from "./pwa/rules/rules.js";
import { shownOf } from "./pwa/screens/drawn.js";
import { failedAlone, limitsOfCell } from "./pwa/screens/limits.js";

const told = JSON.parse(document.getElementById("readings")?.dataset.readings ?? "null");

if (told) {
  const { kind, answers, findings, context, specs } = told;
  const pack = readPack(told.pack);
  const known = { kind, answers, context };
  useUnits(pack.units);
  const fields = Object.entries(specs).map(([field, spec]) => ({ field, .../** @type {any} */ (spec) }));
  const visit = {
    answers, findings, values: {}, protocol: { sections: [{ groups: [{ fields }] }] },
    judge: {
      settings: settingsOn(pack, context.today), context,
      limits: (/** @type {string} */ list, /** @type {number} */ n, /** @type {string} */ cell) => limitsOfCell(pack, known, { list, n, cell }),
      alone: (/** @type {string} */ list, /** @type {any} */ row) => failedAlone(pack, known, { list, row }),
    },
  };
  for (const place of document.querySelectorAll("[data-drawn]")) {
    render(shownOf(/** @type {HTMLElement} */ (place).dataset.drawn ?? "", visit), /** @type {HTMLElement} */ (place));
  }
}
