/**
 * A day's work on the tablet's real store and engine under Node: recorded offline, then sent over the line given.
 * Told on standard output: seconds until all text and until everything was there, and how many calls broke off.
 */

import { readFile } from 'node:fs/promises';

import { makeLocks, makeTablet } from '../tests/pwa/store/tablet.js';

const { origin, near, code, inspections, ops, photos, preview } = JSON.parse(process.argv[2]);

const clock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => { setTimeout(resolve, ms); }),
};

const bytesOf = async (path) => {
  const file = await readFile(path);
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
};

const small = await bytesOf(preview);
let to = near; // enrolled and given its forms in the office, over a good line
let textAt = 0;
const told = { broken: 0, requests: 0 };
const fetching = async (path, init) => {
  try {
    told.requests += 1;
    const answer = await fetch(to + path, init);
    if (path.endsWith('/ops') && answer.ok) textAt = clock.now();
    return answer;
  } catch (problem) {
    told.broken += 1;
    throw problem;
  }
};

const tablet = makeTablet({ server: { fetch: fetching }, clock, locks: makeLocks(),
  preview: async () => small, storage: { persist: async () => true, persisted: async () => true, estimate: async () => ({ quota: 1e12, usage: 0 }) } });
await tablet.enrol(code);
await tablet.sync();

const ids = [];
for (let n = 0; n < inspections; n += 1) ids.push(await tablet.begin({ protocol: 'tap', place: `Lot ${n} Example Court` }));
for (const [n, path] of photos.entries()) {
  await tablet.addPhoto(ids[n % ids.length], { bytes: await bytesOf(path), mime: 'image/jpeg', shows: 'overview',
    proves: null, taken_at: new Date(clock.now()).toISOString() });
}
for (let n = 0; n < ops - inspections - photos.length; n += 1) {
  await tablet.addRow(ids[n % ids.length], 'notes', { note: `Note ${n}: the bell lip is sound, the joint is dry.` });
}
await tablet.store.photos.settled();
const waits = await tablet.ops();
process.stdout.write(`${JSON.stringify({ ready: waits.length, ops_text: waits.map((op) => JSON.stringify(op.envelope)).join(',') })}\n`);

await new Promise((resolve) => { process.stdin.once('data', resolve); });
to = origin;
Object.assign(told, { broken: 0, requests: 0 });
const start = clock.now();
let failures = 0;
for (;;) {
  const open = (await tablet.store.photos.all()).filter((photo) => photo.state === 'waiting');
  if (!open.length && !(await tablet.store.queue.waiting()).ops) break;
  const outcome = await tablet.sync();
  if (outcome.state === 'needs_you') throw new Error(outcome.reason);
  failures = outcome.state === 'done' ? 0 : failures + 1;
  if (failures > 200) throw new Error(`The day does not end: ${outcome.reason}`);
  if (failures) await clock.sleep(outcome.retry_ms ?? Math.min(60_000, tablet.engine.api.pause(failures)));
}
process.stdout.write(`${JSON.stringify({ ...told, text_s: (textAt - start) / 1000, whole_s: (clock.now() - start) / 1000 })}\n`);
process.exit(0);
