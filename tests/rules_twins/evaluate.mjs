// Reads cases as JSON lines and prints what the tablet's evaluator says: node evaluate.mjs <address of the rules>
import { createInterface } from "node:readline";

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

let head = null;
const lines = [];
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (!head) {
    head = { fields: asked.fields, units: new Units(asked.units) };
    continue;
  }
  try {
    const lets = new Map(Object.entries(asked.lets).map(([name, source]) => [name, parse(source)]));
    const scope = new Scope(new Answers(head.fields, head.units, [asked.given]), lets);
    const { value, missing, error, reads } = evaluate(parse(asked.expr), scope);
    lines.push({
      value: value === undefined ? null : plain(value),
      missing: [...missing].sort(),
      error,
      reads: [...reads].sort(),
    });
  } catch (refusal) {
    if (!(refusal instanceof ExpressionRefused)) throw refusal;
    lines.push({ refused: refusal.message });
  }
}
process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
