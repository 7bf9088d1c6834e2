/**
 * Sends what was taken over from another tablet's file: each op in that tablet's own envelope, so it takes its own place
 * in that tablet's log. What finds no place there is kept by the office as it is, for a person to read.
 */

import { Paused, Unreachable, detail } from './api.js';

const MOST_OPS = 100;
const MOST_BYTES = 250 * 1024;
const FINAL = new Set(['applied', 'noop', 'conflict', 'quarantined']);

/** @param {{store: import('../store/store.js').Store, api: import('./api.js').Api, log: (entry: object) => void}} parts */
export function makeCarry({ store, api, log }) {
  const meta = store.queue.meta;

  /** Sends all of it. Throws Unreachable or Paused; what was answered until then stays answered. */
  async function carry() {
    for (let most = MOST_OPS; ;) {
      const file = ((await meta('carried')) ?? []).find((one) => one.next < one.ops);
      if (!file) return;
      const ops = batch((await meta(`carried:${file.id}`)).slice(file.next, file.next + most));
      const answer = await api.post('/ops/carried', { ops }, 'device');
      log({ step: 'carry', ops: ops.length, status: answer.status });
      if (answer.status === 200) {
        const words = [];
        for (const [i, { status }] of answer.body.results.entries()) words.push(FINAL.has(status) ? status : await raw(ops[i]));
        await sent(file.id, words);
        most = Math.min(MOST_OPS, most * 2);
      } else if ([400, 404, 405, 413, 422].includes(answer.status)) {
        if (ops.length === 1) await sent(file.id, [await raw(ops[0])]);
        else most = Math.ceil(ops.length / 2);
      } else if (answer.status === 403) throw new Paused('revoked', detail(answer, 'This tablet was taken out of use.'));
      else throw new Unreachable(detail(answer, `The office answered with ${answer.status} and will be asked again.`));
    }
  }

  /** The last resort: the office keeps the line. @param {object} op */
  async function raw(op) {
    const answer = await api.call('POST', '/ops/raw', {
      as: 'device', bytes: new TextEncoder().encode(JSON.stringify(op)), headers: { 'Content-Type': 'application/x-ndjson' },
    });
    if (answer.status !== 200) throw new Unreachable('The office could not take an entry and will be asked again.');
    return 'raw';
  }

  /** Notes what became of the next ops of a file. @param {string} id @param {string[]} words */
  const sent = (id, words) => store.outbox.write(['meta'], async (tx) => {
    const files = ((await tx.objectStore('meta').get('carried')) ?? []).map((file) => {
      if (file.id !== id) return file;
      const counts = { ...file.counts };
      for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
      return { ...file, next: file.next + words.length, counts };
    });
    await tx.objectStore('meta').put(files, 'carried');
  }).then(() => store.bus.say('answered'));

  return carry;
}

/** As many as fit, and at least one. @param {{body: string}[]} ops */
function batch(ops) {
  let sum = 0;
  return ops.filter((op, i) => { sum += JSON.stringify(op).length; return i === 0 || sum <= MOST_BYTES; });
}
