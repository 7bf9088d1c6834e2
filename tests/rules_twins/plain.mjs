// Prints the limits that the tablet's book gives each rule of a pack: node plain.mjs <address of static/pwa> <day> < pack
import { readFileSync } from "node:fs";

const [, , app, day] = process.argv;
const { readPack } = await import(`${app}/rules/rules.js`);
const { limitsOf } = await import(`${app}/screens/plain.js`);

const pack = readPack(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(pack.data.rules.map((rule) => [rule.id, limitsOf(rule, pack, day)])));
