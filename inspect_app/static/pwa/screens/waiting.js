/**
 * What keeps rules from being judged, by the section of the form in which it is answered. Pure: it draws nothing.
 *
 * @typedef {Record<string, any>} Finding @typedef {Record<string, any>} Field
 * @typedef {{section: any, fields: Field[], rules: Finding[]}} Wait what a section still has to be told, and the rules that wait for it
 */
import { fieldOf } from "./findings.js";
import { isAnswered } from "./form.js";
import { fieldsOfForm, openersOf } from "./opens.js";

/** A rule without a word of its own waits for answers; one that says why it proves nothing has its sentence.
 * @param {Finding} f */
export const isWaiting = (f) => f.outcome === "not_evaluated" && !f.message;

/**
 * @param {{findings: Finding[], protocol: any, sections: any[], unanswered: {section: any, field: Field}[], values: Record<string, Record<string, any>>,
 *   holds: import("./form.js").Holds}} visit sections with the fields asked for now
 * @returns {{waits: Wait[], elsewhere: Finding[]}} elsewhere: no answer of this form settles them
 */
export function waiting({ findings, protocol, sections, unanswered, values, holds }) {
  const fields = fieldsOfForm(protocol);
  const shown = new Map(sections.flatMap((section) => (section.groups ?? []).flatMap((/** @type {any} */ group) => group.fields
    .map((/** @type {Field} */ field) => [field.field, { section, open: !isAnswered(values[group.group]?.[field.field]) }]))));
  /** @type {Map<string, {fields: Set<string>, rules: Finding[]}>} */
  const bySection = new Map(sections.map((section) => [section.id, { fields: new Set(), rules: [] }]));
  for (const { section, field } of unanswered) bySection.get(section.id)?.fields.add(field.field);

  /** Where an answer is given: itself, or what must be answered before it is asked. @param {string} name @param {string[]} [seen] @returns {string[]} */
  const ways = (name, seen = []) => {
    if (shown.has(name)) return [name];
    const field = fields.get(name);
    if (!field || seen.includes(name)) return [];
    return openersOf(field, { fields, holds }).flatMap((one) => ways(one, [...seen, name]));
  };
  const elsewhere = [];
  for (const finding of findings.filter(isWaiting)) {
    const missing = [...new Set((finding.missing ?? []).map(fieldOf).flatMap((/** @type {string} */ name) => ways(name)))];
    const read = [...new Set((finding.reads ?? []).map(fieldOf))].filter((name) => shown.get(name)?.open);
    const asked = missing.length ? missing : read;
    const first = sections.find((section) => asked.some((name) => shown.get(name)?.section.id === section.id));
    if (!first) { elsewhere.push(finding); continue; }
    bySection.get(first.id)?.rules.push(finding);
    for (const name of asked) if (shown.get(name)?.open) bySection.get(shown.get(name)?.section.id ?? "")?.fields.add(name);
  }
  const waits = sections.map((section) => {
    const held = bySection.get(section.id);
    const inOrder = [...fields.values()].filter((field) => held?.fields.has(field.field));
    return { section, fields: inOrder, rules: held?.rules ?? [] };
  }).filter((wait) => wait.fields.length || wait.rules.length);
  return { waits, elsewhere };
}
