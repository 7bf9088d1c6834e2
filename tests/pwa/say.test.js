import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, test } from "node:test";
import { fileURLToPath } from "node:url";

import { languageOf, say, sayFigure, spokenForm, useTranslations } from "../../inspect_app/static/pwa/fields/say.js";
import { es, said as first } from "../../inspect_app/static/pwa/fields/words.es.js";
import { english, speak } from "../../inspect_app/static/pwa/words.js";
import { literals, sentences, words } from "./literals.js";

/** What the tablet says once it has the reference data. */
const said = { ...first, ...sentences() };

const PWA = fileURLToPath(new URL("../../inspect_app/static/pwa/", import.meta.url));

globalThis.document = /** @type {any} */ ({ documentElement: {} });

/** Speaks Spanish with these translations until the test is over. */
function inSpanish(...tables) { speak(es); useTranslations(...tables); }
afterEach(() => { speak(english); useTranslations(); });

test("in English every text stays as it was written", () => {
  assert.equal(say("The tap is 5.5 in away."), "The tap is 5.5 in away.");
  assert.notEqual(languageOf("The tap is 5.5 in away."), "en");
  assert.equal(sayFigure("12 days > 10 days"), "12 days > 10 days");
  const form = { title: "Tap check" };
  assert.equal(spokenForm(form), form);
});

test("a sentence with values in it is said with the same values, choices in words", () => {
  inSpanish({ "The tap is {distance} in from the joint.": "La toma está a {distance} in de la junta.", "Built: {kind}. The permit says {permit}.": "Hecho: {kind}. El permiso dice {permit}.",
    "Cut-in wye": "Ye intercalada", Saddle: "Silla", "Lights {lit}: {lights}.": "Luces {lit}: {lights}." });
  assert.equal(say("The tap is 5.5 in from the joint."), "La toma está a 5.5 in de la junta.");
  assert.equal(say("Built: cut-in wye. The permit says saddle."), "Hecho: ye intercalada. El permiso dice silla.");
  assert.equal(say("Lights yes: saddle, cut-in wye."), "Luces sí: silla, ye intercalada.");
  assert.equal(say("The tap is – in from the joint."), "La toma está a – in de la junta.");
});

test("of two sentences that fit, the one with more words of its own is meant", () => {
  inSpanish({ "{a} waits here.": "{a} espera aquí.", "The photo of {a} waits here.": "La foto de {a} espera aquí." });
  assert.equal(say("The photo of D1 waits here."), "La foto de D1 espera aquí.");
  assert.equal(say("D1 waits here."), "D1 espera aquí.");
});

test("of two values with nothing between them the first has all words but the last", () => {
  inSpanish({ "{what} {n} at the plant is too much.": "{what} {n} en la planta es demasiado.", "Chlorine requirement": "Demanda de cloro", Chlorine: "Cloro" });
  assert.equal(say("chlorine requirement 21 at the plant is too much."), "demanda de cloro 21 en la planta es demasiado.");
});

test("several sentences are said one by one, and only if every one of them is known", () => {
  inSpanish({ "Both are kept.": "Se guardan los dos.", "{n} values differ.": "{n} valores difieren." });
  assert.equal(say("3 values differ. Both are kept."), "3 valores difieren. Se guardan los dos.");
  assert.equal(say("3 values differ. Ask somebody."), "3 values differ. Ask somebody.");
});

test("a text without translation stays English and says so; numbers and signs need none", () => {
  inSpanish({ Photo: "Foto" });
  assert.equal(say("Somebody's own words"), "Somebody's own words");
  assert.equal(languageOf("Somebody's own words"), "en");
  assert.notEqual(languageOf("Photo"), "en");
  assert.notEqual(languageOf("5.5 ≤ 6"), "en");
  assert.equal(sayFigure("12 days > 10 days"), "12 días > 10 días");
  assert.equal(say(null), null);
});

test("a form is spoken with its sections, fields, choices and columns, and kept as it is", () => {
  inSpanish({ "Tap check": "Revisión de toma", Joint: "Junta", Yes: "Sí", Pipe: "Tubo", "Pipe {n}": "Tubo {n}" });
  const form = { protocol: "tap", version: "2", title: "Tap check", sections: [{ id: "a", title: "Joint", groups: [{ group: "g", fields: [
    { field: "f", label: "Joint", shown_when: "Yes == 'Yes'", choices: ["y"], choice_labels: { y: "Yes" } },
    { field: "rows", label: "Pipe", row_title: "Pipe {n}", row: [{ field: "c", label: "Pipe" }] },
    { field: "new", label: "Not yet said", hint: "Joint" }] }] }], signatures: [{ field: "s", role: "Inspector", says: "Joint" }] };
  const before = structuredClone(form);
  const own = spokenForm(form);
  assert.deepEqual(form, before);
  assert.equal(own.title, "Revisión de toma");
  const [first, rows, left] = own.sections[0].groups[0].fields;
  assert.deepEqual([first.label, first.choice_labels.y, first.shown_when, first.field, first.lang], ["Junta", "Sí", "Yes == 'Yes'", "f", undefined]);
  assert.deepEqual([rows.row_title, rows.row[0].label], ["Tubo {n}", "Tubo"]);
  assert.deepEqual([left.label, left.hint, left.lang], ["Not yet said", "Junta", "en"]);
  assert.equal(own.signatures[0].role, "Inspector", "a role is kept with its signature");
});

test("a rule that sums up others names the one that counts", () => {
  inSpanish({ "Tap on the top half": "Toma en la mitad superior" });
  assert.equal(say("BV-TAP-03: Tap on the top half"), "BV-TAP-03: Toma en la mitad superior");
});

/** Sentences that count or hold a part that may be absent, as they can be said. */
const COUNTED = {
  "This tablet's storage is empty, but at its last run it held work of its own ({} not sent{}).": [
    "This tablet's storage is empty, but at its last run it held work of its own (2 not sent).",
    "This tablet's storage is empty, but at its last run it held work of its own (2 not sent, 1 photo among it).",
    "This tablet's storage is empty, but at its last run it held work of its own (2 not sent, 3 photos among it)."],
  "{} set aside. The office holds the text and must look at it.": ["1 entry is set aside. The office holds the text and must look at it.",
    "2 entries are set aside. The office holds the text and must look at it."],
  "{} from another tablet. Both are kept.": ["1 value differs from another tablet. Both are kept.", "2 values differ from another tablet. Both are kept."],
};

test("every sentence that store, sync, camera, place and rules may show has its Spanish", () => {
  inSpanish(said);
  const left = [];
  for (const folder of ["store", "sync", "camera", "place", "rules"]) {
    for (const name of readdirSync(PWA + folder)) {
      for (const literal of literals(readFileSync(`${PWA}${folder}/${name}`, "utf8"))) {
        const sentence = literal.text.replaceAll("\\'", "'").replaceAll("\0", "{}").trim();
        if (!words(literal).length || !/[.?]$/.test(sentence)) continue;
        // Each value of the sentence as some text: what fits it then fits the sentence with any value.
        const sayings = COUNTED[sentence] ?? [sentence.replaceAll("{}", "7")];
        if (sayings.some((one) => languageOf(one) === "en")) left.push(`${folder}/${name}:${literal.line}: ${sentence}`);
      }
    }
  }
  assert.deepEqual(left, []);
});

test("a reading that could not be read is told in Spanish with what was typed", () => {
  inSpanish(said);
  assert.equal(say("1,5 can be read two ways. Type 1.5 or 15."), "1,5 se puede leer de dos maneras. Escriba 1.5 o 15.");
  assert.equal(say("5'6\" holds two units. Type one number and choose its unit."), "5'6\" lleva dos unidades. Escriba un solo número y elija su unidad.");
});
