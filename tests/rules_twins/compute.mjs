// Runs the tablet's readings, calendar and sun as JSON lines: node compute.mjs <address of the rules>
// Each line is [what, ...arguments].
import { createInterface } from "node:readline";

const rules = process.argv[2].replace(/\/?$/, "/");
const numbers = await import(`${rules}quantities.js`);
const calendar = await import(`${rules}calendar.js`);
const night = await import(`${rules}night.js`);
const text = (number) => number && `${number.top}/${number.bottom}`;

const computes = {
  number(typed) {
    const number = numbers.fromJson(typed);
    const shown = number && [numbers.formatExact(number), numbers.exactText(number)];
    return [text(number), typeof typed === "string" ? numbers.whyUnreadable(typed) : null, shown];
  },
  day: (typed) => calendar.dayNumber(typed),
  instant: (typed) => text(calendar.instant(typed)),
  local(typed, zone) {
    const moment = calendar.instant(typed);
    return [calendar.localDay(moment, zone), calendar.minuteOfDay(moment, zone), calendar.localTimeText(moment, zone)];
  },
  sun: (lat, lon, day, zone) => night.sunTimes(lat, lon, day, zone),
};
const lines = [];
for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...given] = JSON.parse(line);
  lines.push(computes[what](...given));
}
process.stdout.write(lines.map((line) => `${JSON.stringify(line ?? null)}\n`).join(""));
