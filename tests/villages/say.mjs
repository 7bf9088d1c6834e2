// Says texts as a tablet that speaks Spanish shows them: {"said", "texts"} comes in, {text: [what is shown, its language]} goes out.
import { readFileSync } from "node:fs";

globalThis.document = /** @type {any} */ ({ documentElement: {} });
const app = new URL("../../inspect_app/static/pwa/", import.meta.url);
const [{ es }, { speak }, { languageOf, say, useTranslations }] = await Promise.all(
  ["fields/words.es.js", "words.js", "fields/say.js"].map((name) => import(new URL(name, app))));

const { said, texts } = JSON.parse(readFileSync(0, "utf8"));
speak(es);
useTranslations(said);
process.stdout.write(JSON.stringify(Object.fromEntries(texts.map((text) => [text, [say(text), languageOf(text)]]))));
