// Judges vectors by the tablet's rules. Standard input: {"packs", "texts"}, then a line for each vector,
// {"text", "index", "pack", "rules"}; standard output: a line of findings for each.
import { createInterface } from "node:readline";
import { evaluate, readPack } from "../static/pwa/rules/rules.js";

let packs = new Map();
let files = [];
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.packs) {
    packs = new Map(Object.entries(asked.packs).map(([name, data]) => [name, readPack(data)]));
    files = asked.texts.map((text) => JSON.parse(text));
    continue;
  }
  const { kind, on, answers, context, settings } = files[asked.text][asked.index];
  const given = { kind, on, answers: answers ?? {}, context, settings, beside: true };
  const found = evaluate(packs.get(asked.pack), given).filter((finding) => asked.rules.includes(finding.rule));
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
