// Judges inspections given as JSON lines by the tablet's rules: node run_vectors.mjs <address of the rules>
// The first line holds the packs by name; every other line is {"pack", "kind", "answers", "context", "settings", "on",
// "beside"}.
import { readFileSync } from "node:fs";

const rules = process.argv[2].replace(/\/?$/, "/");
const { evaluate, readPack } = await import(`${rules}rules.js`);

const [head, ...asked] = readFileSync(0, "utf8").trimEnd().split("\n");
const packs = new Map(Object.entries(JSON.parse(head).packs).map(([name, data]) => [name, readPack(data)]));

function answer(line) {
  const inspection = JSON.parse(line);
  return evaluate(packs.get(inspection.pack), inspection);
}

process.stdout.write(asked.map((line) => `${JSON.stringify(answer(line))}\n`).join(""));
