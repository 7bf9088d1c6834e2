/** Yes, no, or not checked, which says to the rules that nobody looked. */
import { t } from "../words.js";
import { radios } from "./choice.js";

/** @param {import("./field.js").Ask} ask */
export function yesno(ask) {
  const options = /** @type {[string, string][]} */ ([["yes", t.answers.yes], ["no", t.answers.no], ["not_checked",
    t.answers.not_checked]]);
  const labels = ask.field.choices && !Array.isArray(ask.field.choices) ? ask.field.choices : {};
  return radios(ask, options.map(([slug, label]) => [slug, labels[slug] ?? label]));
}
