// Prints what the tablet's book says of each rule of a pack, [id, limits, rows, sentences]:
// node plain.mjs <address of static/pwa> <day> < {"pack": …, "labels": …}
import { readFileSync } from "node:fs";

const [, , app, day] = process.argv;
const { readPack } = await import(`${app}/rules/rules.js`);
const { limitsOf, requirementOf } = await import(`${app}/screens/plain.js`);
const { Names } = await import(`${app}/screens/plain_names.js`);
const { t } = await import(`${app}/words.js`);

const { pack: data, labels } = JSON.parse(readFileSync(0, "utf8"));
const pack = readPack(data);
const names = new Names({ labels, pack, day, words: t.book.names });

const sentencesOf = (rule) => [
  ...(rule.checks ?? []).map((check) => check.message),
  rule.passes,
  ...[...(rule.unless ?? []), ...(rule.when ?? [])].map((one) => one.reason),
  ...(rule.soften ?? []).map((one) => one.note),
  ...(rule.notes ?? []).map((one) => one.text),
].filter(Boolean);

process.stdout.write(JSON.stringify(pack.data.rules.map((rule) => {
  const limits = limitsOf(rule, pack, day);
  const about = limits.map(({ value, by }) => [value && names.heading(value, rule), by.map((name) => names.within(name, rule))]);
  const asks = requirementOf(rule);
  return [rule.id, limits, about, names.each(rule), asks && [asks.outcome, asks.sentence], sentencesOf(rule).map((text) => names.said(text, rule))];
})));
