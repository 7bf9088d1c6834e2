// Prints the conformance tests of CEL that @bufbuild/cel-spec carries, one JSON line each.
import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";

const lines = [];
function walk(suite, path) {
  for (const { original } of suite.tests ?? []) lines.push({ ...original, suite: path.join("/") });
  for (const inner of suite.suites ?? []) walk(inner, [...path, inner.name]);
}
walk(tests, []);
process.stdout.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
