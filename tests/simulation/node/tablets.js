/**
 * The tablets of a simulated seed, told what to do line by line on standard input; see device_js.py for the other end.
 *
 *   in   {"tablet", "do", ...its own, "at": ms since 1970, "kill_in": moments, 0 for never}
 *   out  {"request": {"tablet", "method", "path", "headers", "body"}}      whenever the engine asks the server
 *   in   {"answer": {"status", "headers", "body"}} or {"answer": null}     bodies are base64
 *   out  {"done": {"value", "state", "killed", "error"}}                   at the end of each
 */

import { createInterface } from 'node:readline';

import { clock, random } from './chance.js'; // before all that would read the machine's clock
import { Gone } from './storage.js';
import { Tablet } from './tablet.js';

const BY_HAND = new Set(['restart', 'keepCopy', 'putBack', 'fill', 'damage']); // what no browser does, and no kill ends
const tablets = new Map();
const waiting = []; // requests, answered in the order in which they were made
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

async function fetch(tablet, path, { method, headers, body }) {
  say({ request: { tablet, method, path, headers, body: body ? Buffer.from(body).toString('base64') : '' } });
  const answer = await new Promise((resolve) => waiting.push(resolve));
  if (!answer) throw new TypeError('fetch failed');
  const bytes = [204, 304].includes(answer.status) || method === 'HEAD' ? null : Buffer.from(answer.body, 'base64');
  return new Response(bytes, { status: answer.status, headers: answer.headers });
}

async function obey({ tablet: name, do: what, at, kill_in, ...own }) {
  clock.at = at;
  if (!tablets.has(name)) tablets.set(name, new Tablet(name, { fetch, random, clock }));
  const tablet = tablets.get(name);
  const { life } = tablet.storage;
  const isByHand = BY_HAND.has(what);
  life.moments = isByHand ? 0 : kill_in;
  const result = { value: null, killed: false, error: null };
  const asDone = tablet[what](own).then((value) => { result.value = value ?? null; }, (problem) => {
    if (!life.dead) result.error = { name: problem.constructor.name, message: problem.message, stack: String(problem.stack) };
  });
  await (isByHand ? asDone : Promise.race([asDone, life.ended]));
  life.moments = 0;
  if (life.dead && !isByHand) {
    result.killed = true;
    await tablet.end();
  }
  const full = tablet.storage.files.full;
  tablet.storage.files.full = false; // only the simulation looks, and nothing is kept of it
  result.state = await tablet.state();
  tablet.storage.files.full = full;
  say({ done: result });
}

// Nobody waits any more for what a killed browser still had in hand.
process.on('unhandledRejection', (problem) => {
  if (!(problem instanceof Gone)) throw problem;
});

for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if ('answer' in told) waiting.shift()(told.answer);
  else void obey(told);
}
process.exit(0);
