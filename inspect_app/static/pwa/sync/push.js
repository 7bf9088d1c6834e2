/**
 * Sends the outbox, strictly in order, one batch at a time. Nothing leaves the queue without a final answer for it;
 * one entry that the server cannot take never holds up the others for long.
 */

import { Paused, Unreachable, detail } from './api.js';

const MOST_OPS = 100;
const MOST_BYTES = 250 * 1024; // the batch's frame fits into the rest of 256 KiB
const FINAL = new Set(['applied', 'noop', 'conflict', 'quarantined']);
const TRIES_ALONE = 5;
const IDS_AT_ONCE = 500;
const MOST_RAW = 1024 * 1024;

/**
 * @param {{store: import('../store/store.js').Store, api: import('./api.js').Api, log: (entry: object) => void}} parts
 */
export function makePush({ store, api, log }) {
  const { queue } = store;

  /** Empties the outbox. Throws Unreachable or Paused; what was answered until then stays answered. */
  async function push() {
    let most = MOST_OPS;
    let bytes = MOST_BYTES;
    let refusals = 0;
    const resent = new Set();
    for (;;) {
      const head = await queue.device();
      if (!head) throw new Paused('enrol', 'This tablet is not enrolled. Enter the code the office gives you.');
      const ops = await queue.unsent(most, bytes);
      if (!ops.length) return;
      const answer = await api.post('/ops', {
        batch: store.newId(), device_id: head.device_id, epoch: head.epoch, ops: ops.map((op) => op.envelope),
      }, 'device');
      log({ step: 'push', ops: ops.length, status: answer.status });

      if (answer.status === 200) {
        if (answer.body.epoch && answer.body.epoch !== head.epoch) {
          await epochChanged(answer.body.epoch);
          continue;
        }
        await taken(head, ops, answer.body, resent);
        most = Math.min(MOST_OPS, most * 2);
        bytes = MOST_BYTES;
        refusals = 0;
      } else if (answer.status === 409) {
        await outOfStep(answer, head);
      } else if (answer.status === 403) {
        throw new Paused('revoked', detail(answer, 'This tablet was taken out of use. Everything is kept here.'));
      } else if (answer.status === 413 && ops.length > 1) {
        most = Math.ceil(ops.length / 2);
        bytes = Math.ceil(bytes / 2);
      } else if ((answer.status === 400 || answer.status === 422) && ops.length > 1) {
        most = Math.ceil(ops.length / 2);
      } else if ([400, 413, 422].includes(answer.status)) {
        refusals += 1;
        if (refusals < TRIES_ALONE) await api.sleep(api.pause(refusals));
        else {
          await lastResort(head, ops[0], detail(answer, `refused with ${answer.status}`));
          refusals = 0;
        }
      } else {
        throw new Unreachable(detail(answer, `The office answered with ${answer.status} and will be asked again.`));
      }
    }
  }

  /** Keeps the final answers of a batch and acts on one that is not final. */
  async function taken(head, ops, body, resent) {
    const results = body.results ?? [];
    const open = results.findIndex((result) => !FINAL.has(result.status));
    await queue.acknowledge(head.device_id, open < 0 ? results : results.slice(0, open));
    // The server took it and set it aside, and says so once: what to ask of the person follows from it for good.
    if (results.some((result) => result.reason === 'device_revoked')) await queue.setMeta('revoked', head.device_id);
    const after = await queue.enrolled();
    if (open >= 0) {
      const { status, expect } = results[open];
      const wasRaw = status === 'gap' && (await queue.answerTo(expect))?.status === 'raw';
      if (status === 'gap' && expect <= after.acknowledged && !wasRaw && !resent.has(expect)) {
        // The server lacks what it once confirmed: it gets it again, under the same numbers.
        resent.add(expect);
        log({ step: 'resend', from: expect });
        await queue.resendFrom(expect);
        return;
      }
      // Where the last resort did not take an entry's number too, those behind it need new ones.
      throw new Paused('enrol_again', status === 'fork'
        ? 'This tablet was restored from an older copy, so its numbers no longer fit. Everything is kept here. Enrol it again with a new code.'
        : 'The office cannot place what comes next from this tablet. Everything is kept here. Enrol it again with a new code.');
    }
    if (after.acknowledged === head.acknowledged) throw new Unreachable('The office answered without taking anything.');
  }

  async function outOfStep(answer, head) {
    const epoch = answer.body?.epoch;
    if (epoch && epoch !== head.epoch) {
      await epochChanged(epoch);
      return;
    }
    throw new Paused('enrol_again', detail(answer, 'The office knows other entries under this tablet\'s numbers.') +
      ' Everything is kept here. Enrol it again with a new code.');
  }

  /**
   * An entry refused alone five times: its bytes go where everything is taken, and a person looks at it. With them goes
   * its place in the chain, so that the entries behind it follow on. One that is too long even for this is cut; it
   * stays whole on the tablet.
   */
  async function lastResort(head, op, why) {
    const answer = await api.call('POST', '/ops/raw', {
      as: 'device', bytes: new TextEncoder().encode(JSON.stringify(op.envelope)).slice(0, MOST_RAW),
      headers: { 'Content-Type': 'application/octet-stream', 'X-Op-Seq': String(op.seq), 'X-Op-Hash': op.hash },
    });
    if (answer.status !== 200) throw new Unreachable('The office could not take an entry and will be asked again.');
    log({ step: 'raw', op_id: op.op_id, why });
    await queue.acknowledge(head.device_id, [{ op_id: op.op_id, seq: op.seq, status: 'raw', reason: why }]);
  }

  /**
   * The server was restored from a backup: it may lack what it confirmed. It is asked what it has, the rest is sent
   * again in order, and everything pulled is pulled anew. The new epoch is noted last, so a crash repeats all of it.
   * @param {string} epoch
   */
  async function epochChanged(epoch) {
    const head = await queue.enrolled();
    log({ step: 'epoch', from: head.epoch, to: epoch });
    const ops = await queue.retained();
    const known = new Set();
    for (let at = 0; at < ops.length; at += IDS_AT_ONCE) {
      const ids = ops.slice(at, at + IDS_AT_ONCE).map((op) => op.op_id);
      const answer = await api.post('/ops/have', { device_id: head.device_id, ops: ids }, 'device');
      if (answer.status !== 200) throw new Unreachable(detail(answer, 'The office could not say what it has.'));
      for (const id of answer.body.known ?? []) known.add(id);
    }
    await queue.offerAgain(known);
    await store.photos.doubt();
    await store.replica.reset(epoch);
    await queue.changeHead(() => ({ epoch }));
  }

  return { push, epochChanged };
}
