// Reads questions as JSON lines and prints what the tablet's evaluator says: node evaluate.mjs <address of the rules>
import { readFileSync } from "node:fs";

const rules = process.argv[2].replace(/\/?$/, "/");
const { Answers } = await import(`${rules}answers.js`);
const { evaluate, parse, Scope } = await import(`${rules}expression.js`);
const { Fraction, Units } = await import(`${rules}quantities.js`);
const { ExpressionRefused } = await import(`${rules}syntax.js`);

function plain(value) {
  if (value instanceof Fraction) return `${value.top}/${value.bottom}`;
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === "object" ? { path: value.path } : value;
}

const [head, ...asked] = readFileSync(0, "utf8").trimEnd().split("\n");
const { fields: common, units: table } = JSON.parse(head);
const units = new Units(table);

function answer(line) {
  const { expr, lets: sources, given, fields = common, doubles = {} } = JSON.parse(line);
  // What no JSON holds: NaN and the infinities.
  for (const [name, text] of Object.entries(doubles)) given[name] = Number(text);
  try {
    const lets = new Map(Object.entries(sources).map(([name, source]) => [name, parse(source)]));
    const { value, missing, error, reads } = evaluate(parse(expr), new Scope(new Answers(fields, units, [given]), lets));
    return {
      value: value === undefined ? null : plain(value),
      missing: [...missing].sort(),
      error,
      reads: [...reads].sort(),
    };
  } catch (refusal) {
    if (!(refusal instanceof ExpressionRefused)) throw refusal;
    return { refused: refusal.message };
  }
}

process.stdout.write(asked.map((line) => `${JSON.stringify(answer(line))}\n`).join(""));
