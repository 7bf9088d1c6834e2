// Judges inspections given as JSON lines by the tablet's rules: node run_vectors.mjs <address of the rules>
// The first line holds the packs by name; every other line is {"pack", "kind", "answers", "context", "settings", "on"}.
import { createInterface } from "node:readline";

const rules = process.argv[2].replace(/\/?$/, "/");
const { evaluate, readPack } = await import(`${rules}rules.js`);

/** @type {Map<string, import("../../inspect_app/static/pwa/rules/rules.js").Pack> | null} */
let packs = null;
const lines = [];
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (packs) lines.push(evaluate(packs.get(asked.pack), asked));
  else packs = new Map(Object.entries(asked.packs).map(([name, data]) => [name, readPack(data)]));
}
process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
