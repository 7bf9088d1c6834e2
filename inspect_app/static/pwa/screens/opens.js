/** Which answers open what a form does not ask yet, in the words of the form. Pure: it draws nothing. */
import { parse } from "../rules/expression.js";
import { formatExact, Fraction } from "../rules/quantities.js";
import { childrenOf } from "../rules/tree.js";
import { choicesOf } from "../fields/spec.js";
import { say } from "../fields/say.js";
import { asWords, t, unitWord } from "../words.js";

/** @typedef {import("../rules/tree.js").Node} Node @typedef {Record<string, any>} Field
 * @typedef {{fields: Map<string, Field>, holds: import("./form.js").Holds}} Form every field of the form by name */

/** Conditions that are told of one section. */
const MOST = 2;

/** What a form asks or may ask, by name, each with its section. @param {any} protocol @returns {Map<string, Field>} */
export const fieldsOfForm = (protocol) => new Map((protocol.sections ?? []).flatMap((/** @type {any} */ section) => (section.groups ?? [])
  .flatMap((/** @type {any} */ group) => group.fields.map((/** @type {Field} */ field) => [field.field, { ...field, section }]))));

/**
 * When a section that asks nothing would ask something: "“Open now” is yes"; empty where nothing that is answered here opens it.
 * @param {any} section of the whole protocol @param {Form} form @returns {{words: string[], names: string[]}} conditions, and the fields they read
 */
export function openedBy(section, form) {
  const conditions = new Set((section.groups ?? []).flatMap((/** @type {any} */ group) => group.fields.map((/** @type {Field} */ field) => field.shown_when).filter(Boolean)));
  const found = [...conditions].map((source) => condition(source, form)).filter((one) => one !== null);
  // The first of the plainest conditions say enough: the rest follow once the section is open.
  const own = new Set((section.groups ?? []).flatMap((/** @type {any} */ group) => group.fields.map((/** @type {Field} */ field) => field.field)));
  const outside = found.filter((one) => !one.names.some((name) => own.has(name)));
  const fewest = Math.min(...outside.map((one) => one.names.length));
  const plain = new Map(outside.filter((one) => one.names.length === fewest).reverse().map((one) => [one.names.join(), one]));
  const told = [...plain.values()].reverse().slice(0, MOST);
  return { words: told.map((one) => one.words), names: [...new Set(told.flatMap((one) => one.names))] };
}

/** The fields on which it hangs whether this one is asked. @param {Field} field @param {Form} form @returns {string[]} */
export const openersOf = (field, form) => (field.shown_when ? condition(field.shown_when, form)?.names ?? [] : []);

/** @param {string} source @param {Form} form @returns {{words: string, names: string[]} | null} null if no answer of this form changes it */
function condition(source, form) {
  const open = partsOf(source).filter((part) => form.holds(part) !== true);
  const trees = open.map((part) => parse(part));
  const names = [...new Set(trees.flatMap(namesOf))].filter((name) => form.fields.has(name));
  if (!open.length || trees.some((tree) => !namesOf(tree).some((name) => form.fields.has(name)))) return null;
  return { words: trees.map((tree) => said(tree, form)).join(t.form.and), names };
}

/** The parts of `a && b` that must all hold. @param {string} source @returns {string[]} */
function partsOf(source) {
  let depth = 0;
  const parts = [""];
  for (const piece of source.split(/(&&|[()[\]])/)) {
    if ("([".includes(piece) && piece) depth += 1;
    if (")]".includes(piece) && piece) depth -= 1;
    if (piece === "&&" && depth === 0) parts.push("");
    else parts[parts.length - 1] += piece;
  }
  // What `||` joins must not be taken apart.
  return parts.some((part) => /\|\||\?/.test(part.replace(/\([^()]*\)/g, ""))) ? [source] : parts.map((part) => part.trim());
}

/** @param {Node} tree @param {Form} form @returns {string} */
function said(tree, form) {
  if (tree.kind === "name" && form.fields.has(tree.name)) return t.form.is(labelOf(tree.name, form), t.answers.yes.toLowerCase());
  if (tree.kind === "not" && tree.operand.kind === "name") return t.form.is(labelOf(tree.operand.name, form), t.answers.no.toLowerCase());
  if (tree.kind === "binary" && tree.left.kind === "name" && form.fields.has(tree.left.name)) {
    const field = form.fields.get(tree.left.name) ?? {};
    const values = tree.right.kind === "list" ? tree.right.items : [tree.right];
    const shown = values.map((value) => (value.kind === "literal" ? valueOf(value.value, field) : null));
    if (tree.sign === "!=" && tree.right.kind === "literal" && tree.right.value === "") return t.form.filled(labelOf(tree.left.name, form));
    const saying = t.form.compared[tree.sign];
    if (saying && shown.every((value) => value !== null)) return saying(labelOf(tree.left.name, form), /** @type {string[]} */ (shown));
  }
  return t.form.dependsOn([...new Set(namesOf(tree))].filter((name) => form.fields.has(name)).map((name) => labelOf(name, form)));
}

/** @param {boolean | Fraction | string} value @param {Field} field @returns {string} */
function valueOf(value, field) {
  if (typeof value === "boolean") return (value ? t.answers.yes : t.answers.no).toLowerCase();
  if (value instanceof Fraction) return [formatExact(value), field.unit ? unitWord(field.unit) : ""].filter(Boolean).join(" ");
  return t.form.quoted(choicesOf(field).find(([slug]) => slug === value)?.[1] ?? say(asWords(value)));
}

/** @param {string} name @param {Form} form */
const labelOf = (name, form) => form.fields.get(name)?.label ?? say(asWords(name));

/** @param {Node} tree @returns {string[]} */
const namesOf = (tree) => (tree.kind === "name" ? [tree.name] : childrenOf(tree).flatMap(namesOf));
