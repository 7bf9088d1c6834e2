import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { es } from "../../inspect_app/static/pwa/fields/words.es.js";
import { english } from "../../inspect_app/static/pwa/words.js";
import { literals, sentences as sentencesOfParts, words } from "./literals.js";

const PWA = fileURLToPath(new URL("../../inspect_app/static/pwa/", import.meta.url));

/** Every sentence of a catalogue by its path. @returns {Map<string, any>} */
function sentences(table, path = "") {
  const found = new Map();
  for (const [key, value] of Object.entries(table)) {
    const here = path ? `${path}.${key}` : key;
    if (typeof value === "object") for (const [inner, said] of sentences(value, here)) found.set(inner, said);
    else found.set(here, value);
  }
  return found;
}

/** Arguments in the shapes that sentences take; the first that a sentence can be said with counts. */
const SAMPLES = [
  ["a", ["b", "c"]], [["a", "b"], 2], [2, "b", "c"], ["a", "b", "c"], [3, 8, "c"],
  [{ next: 1, ops: 2, photos_sent: 1, photos: 2 }],
];

/** A sentence said once for each sample that it can be said with, so that its own words show. */
const said = (sentence) => (typeof sentence === "string" ? [sentence] : SAMPLES.flatMap((sample) => {
  try { return [String(sentence(...sample))]; } catch { return []; }
}));

/** Words that are the same in both languages, or are printed so everywhere. */
const SAME = new Set([
  "language", "answers.no", "clock.less", "clock.more", "settings.languages.en", "settings.languages.es", "photos.accuracy", "conflict.by", "finding.state", "sign.pin",
  "dig.side", "dig.left", "profile.unit", "house.outlet", "gas.order",
]);
const SAME_FAMILIES = /^(units\.short|book\.names\.spelled|gas\.gases|gas\.units|settings\.languages)\./;

test("Spanish has every sentence of English, of the same kind, and no other", () => {
  const [first, second] = [sentences(english), sentences(es)];
  assert.deepEqual([...second.keys()].sort(), [...first.keys()].sort());
  for (const [path, sentence] of first) {
    assert.equal(typeof second.get(path), typeof sentence, path);
    if (typeof sentence === "function") assert.ok(second.get(path).length <= sentence.length, `${path} takes more than it is given`);
  }
});

test("no English sentence is left in the Spanish catalogue", () => {
  const second = sentences(es);
  const left = [...sentences(english)].filter(([path, sentence]) => !SAME.has(path) && !SAME_FAMILIES.test(path)
    && said(sentence).some((text, n) => /\p{L}{2}/u.test(text) && text === said(second.get(path))[n])).map(([path]) => path);
  assert.deepEqual(left, []);
  const mixed = [...second].filter(([path]) => !path.startsWith("book.modals")).filter(([, sentence]) => said(sentence).some((text) => /\b(the|of|and|is|are|with|this|not|you|your|wait|waits|waiting|for)\b/.test(text)));
  assert.deepEqual(mixed.map(([path]) => path), []);
});

test("what is counted agrees with its number in Spanish", () => {
  assert.deepEqual([1, 2].map((n) => es.counted.violation(n)), ["1 infracción", "2 infracciones"]);
  assert.deepEqual([0, 1, 5].map((n) => es.outbox.aside(n)), ["0 elementos están apartados y lo necesitan a usted", "1 elemento está apartado y lo necesita a usted",
    "5 elementos están apartados y lo necesitan a usted"]);
  assert.match(es.people.stays(1), /^1 elemento suyo aún no se envió\. Se queda /);
  assert.match(es.people.stays(3), /^3 elementos suyos aún no se enviaron\. Se quedan /);
  assert.equal(es.form.dependsOn(["Junta", "Hielo"]), "«Junta» y «Hielo» se contestan así");
  assert.equal(es.form.dependsOn(["Junta", "Inspector"]), "«Junta» e «Inspector» se contestan así");
  assert.equal(es.form.dependsOn(["Junta"]), "«Junta» se contesta así");
});

/** Literals in code that a person may read and that are the same in every language. */
const PRINTED_EVERYWHERE = new Set(["GB", "MB", "kB", "in", "ft"]);

test("no words stand in the code of screens, fields and drawings instead of in the catalogue", () => {
  const written = [];
  for (const folder of ["screens", "fields", "drawings"]) {
    for (const name of readdirSync(PWA + folder).filter((one) => one.endsWith(".js") && !one.endsWith(".es.js"))) {
      for (const literal of literals(readFileSync(`${PWA}${folder}/${name}`, "utf8"))) {
        for (const text of words(literal)) if (!PRINTED_EVERYWHERE.has(text) && !(text in sentencesOfParts())) written.push(`${folder}/${name}:${literal.line}: ${text}`);
      }
    }
  }
  assert.deepEqual(written, []);
});

test("words planted in a screen are found, markup and names are not", () => {
  const planted = (source) => literals(source).flatMap(words);
  assert.deepEqual(planted("html`<p class=\"meta\">${n} photos wait</p>`"), ["photos wait"]);
  assert.deepEqual(planted("html`<button aria-label=\"Close it\" class=${x ? \"btn go\" : \"btn\"}>${icon(\"i-pen\")}</button>`"), ["Close it"]);
  assert.deepEqual(planted("const why = 'There is no room.';"), ["There is no room."]);
  assert.deepEqual(planted("// Not a sentence of the app.\nconst a = /it's `here`/.test(b) ? \"ArrowUp\" : `field-${c}`;"), []);
});
