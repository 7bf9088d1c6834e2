// A JavaScript CEL library as referee: reads expressions with typed data as JSON lines and prints true, false or null.
// The first line declares the variables by type; whole numbers come as ["int", "3"], since JSON does not tell them apart.
import { readFileSync } from "node:fs";
import { Environment } from "@marcbachmann/cel-js";

const [head, ...asked] = readFileSync(0, "utf8").trimEnd().split("\n");
// Fields of rows are of no declared type, and stand in lists beside numbers and texts.
const environment = new Environment({ homogeneousAggregateLiterals: false });
for (const [name, type] of Object.entries(JSON.parse(head))) environment.registerVariable(name, type);

function value(given) {
  if (Array.isArray(given)) {
    const [type, inner] = given;
    return type === "int" ? BigInt(inner) : inner.map(value);
  }
  if (typeof given !== "object") return given;
  return new Map(Object.entries(given).map(([name, inner]) => [name, value(inner)]));
}

function answer(line) {
  const { expr, data } = JSON.parse(line);
  const known = Object.fromEntries(Object.entries(data).map(([name, given]) => [name, value(given)]));
  const judge = environment.parse(expr); // outside the try: what does not parse is no missing answer
  try {
    const found = judge(known);
    return typeof found === "boolean" ? found : null;
  } catch {
    return null;
  }
}

process.stdout.write(asked.map((line) => `${JSON.stringify(answer(line))}\n`).join(""));
