/** Receives what changed: the feed of records and assignments, and the reference data (forms, packs, people). */

import { Paused, Unreachable, detail } from './api.js';

const ROWS = 500;
const REVOKED = 'This tablet was taken out of use. What it holds is still sent, and the office decides about it.';
const SIGN_IN = 'Sign in to receive what is new. Sending goes on without it.';

/**
 * @param {{store: import('../store/store.js').Store, api: import('./api.js').Api, log: (entry: object) => void,
 *          epochChanged: (epoch: string) => Promise<void>}} parts
 */
export function makePull({ store, api, log, epochChanged }) {
  const { replica, queue } = store;

  /** Pulls until there is nothing more. Throws Unreachable or Paused; every page taken in stays. */
  async function pull() {
    let resets = 0;
    for (;;) {
      const at = await replica.position();
      const { cursor } = at;
      const answer = await api.get(`/changes?cursor=${encodeURIComponent(cursor)}&limit=${ROWS}`, 'person');
      if (answer.status === 410 && resets++ === 0) {
        await replica.reset();
        continue;
      }
      const page = await read(answer);
      const head = await queue.device();
      if (page.epoch && head && page.epoch !== head.epoch) {
        await epochChanged(page.epoch);
        continue;
      }
      log({ step: 'pull', rows: page.changes.length, more: page.more });
      await replica.take(page, sameHands(at, answer));
      if (page.resync?.length && resets++ === 0) {
        await replica.reset(); // another share of the work: it is small enough to be fetched whole
        continue;
      }
      if (!page.more) return;
      if (page.cursor === cursor) throw new Unreachable('The office sent the same page twice and will be asked again.');
    }
  }

  /** Forms, packs and people, when they changed. */
  async function reference() {
    const at = await replica.position();
    const etag = await replica.etag();
    const answer = await api.get('/reference', 'person', etag ? { 'If-None-Match': etag } : {});
    if (answer.status === 304) return;
    const body = await read(answer);
    await replica.takeReference(body, answer.headers.get('ETag') ?? '', sameHands(at, answer).of);
  }

  /** What one person was sent is never put into another's copy. @template {{of: string}} T @param {T} at @param {import('./api.js').Answer} answer @returns {T} */
  function sameHands(at, answer) {
    if (at.of.split(' ')[0] !== answer.person_id) throw new Unreachable('Another person signed in meanwhile.');
    return at;
  }

  /** @param {import('./api.js').Answer} answer */
  async function read(answer) {
    if (answer.status === 200) return answer.body;
    if (answer.status === 403) throw new Paused('revoked', detail(answer, REVOKED));
    if (answer.status === 401) {
      // A tablet taken out of use has no sign-in left either; signing in would not help.
      const head = await queue.device();
      throw (await queue.meta('revoked')) === head?.device_id ? new Paused('revoked', REVOKED) : new Paused('sign_in', SIGN_IN);
    }
    if (answer.status === 426) {
      throw new Unreachable('This app is too old to receive. Press "Update" when it is offered; sending goes on.');
    }
    throw new Unreachable(detail(answer, `The office answered with ${answer.status} and will be asked again.`));
  }

  return { pull, reference };
}
