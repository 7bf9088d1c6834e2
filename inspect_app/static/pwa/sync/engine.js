/**
 * The sync procedure of a tablet, once per origin at a time: push everything, pull everything, previews, originals.
 *
 * It may be run again from any point; where it stops, nothing is lost:
 * - before an answer: the ops are sent again and the server returns what it answered before;
 * - between answer and disk: the same;
 * - between a page and its cursor: they are one transaction;
 * - inside a photo: the server is asked how far it came.
 */

import { Paused, Unreachable, makeApi } from './api.js';
import { makePull } from './pull.js';
import { makePush } from './push.js';
import { makeUpload } from './upload.js';

/** Milliseconds until the next run: after something was recorded, while something waits, when all is sent. */
const PAUSES = { afterAnOp: 5000, whileWaiting: 60_000, quiet: 5 * 60_000 };

/**
 * @typedef {object} Outcome
 * @property {'done'|'offline'|'needs_you'|'busy'} state busy: another tab is at it
 * @property {string} [needs]
 * @property {string} [reason]
 * @property {number|null} [retry_ms] when the server asked for patience
 */

/**
 * @param {{store: import('../store/store.js').Store, files?: any, fetch?: typeof globalThis.fetch,
 *          clock?: import('../store/journal.js').Clock, random?: () => number, locks?: any,
 *          log?: (entry: object) => void, origin?: string, pauses?: typeof PAUSES}} parts
 */
export function makeEngine({
  store, fetch = (...args) => globalThis.fetch(...args), clock = store.clock, random = Math.random,
  locks = store.locks, log = () => undefined, origin = '', pauses = PAUSES,
}) {
  const api = makeApi({ store, fetch, clock, random, locks, log, origin });
  const { push, epochChanged } = makePush({ store, api, log });
  const { pull, reference } = makePull({ store, api, log, epochChanged });
  const { upload } = makeUpload({ store, api, log });

  let failures = 0;
  let timer;
  /** @type {() => void} */
  let stopListening = () => undefined;
  let isStarted = false;
  let isRunning = false;
  let isAsked = false;

  /** @returns {Promise<Outcome>} */
  async function run() {
    return locks.request('sync', { ifAvailable: true }, (lock) => (lock ? pass() : { state: 'busy' }));
  }

  /** @returns {Promise<Outcome>} */
  async function pass() {
    await store.queue.report({ running: true });
    /** @type {{needs: string|null, reason: string|null}} */
    const paused = { needs: null, reason: null };
    /** What kept this run from receiving; photos are sent all the same. @type {Unreachable|null} */
    let late = null;
    const receive = async (what = async () => { await pull(); await reference(); }) => {
      try {
        await what();
        late = null;
      } catch (problem) {
        // Receiving ends with the person's sign-in, or when the office cannot answer; sending does not.
        if (problem instanceof Unreachable) {
          late = problem;
          return;
        }
        if (!(problem instanceof Paused) || !['sign_in', 'revoked'].includes(problem.needs)) throw problem;
        Object.assign(paused, { needs: problem.needs, reason: problem.message });
      }
    };
    try {
      // A tablet that was just enrolled is ready for offline work when it has its forms and rules: these go first.
      if (!(await store.replica.etag())) await receive(reference);
      await push();
      await receive();
      const records = async () => {
        await push();
        await receive();
      };
      // What was written while the photos went, and the records that now have their photos.
      if (await upload(records)) await records();
      if (late) throw late;
      await store.prune();
      failures = 0;
      const { needs, reason } = paused;
      await store.queue.report({ running: false, online: true, needs, reason, ...(needs ? {} : { last_full_sync: clock.now() }) });
      return needs ? { state: 'needs_you', needs, reason: reason ?? '' } : { state: 'done' };
    } catch (problem) {
      return stopped(problem);
    } finally {
      await store.mark();
    }
  }

  /** @param {unknown} problem @returns {Promise<Outcome>} */
  async function stopped(problem) {
    if (problem instanceof Paused) {
      await store.queue.report({ running: false, online: true, needs: problem.needs, reason: problem.message });
      return { state: 'needs_you', needs: problem.needs, reason: problem.message };
    }
    failures += 1;
    if (problem instanceof Unreachable) {
      await store.queue.report({ running: false, online: false, reason: problem.message });
      return { state: 'offline', reason: problem.message, retry_ms: problem.retryAfterMs };
    }
    const reason = /** @type {Error} */ (problem).message;
    log({ step: 'error', error: String(problem) });
    await store.queue.report({ running: false, online: false, reason });
    return { state: 'offline', reason };
  }

  /** Runs, then plans the next run. */
  async function cycle() {
    if (!isStarted || isRunning) return;
    isRunning = true;
    isAsked = false;
    const outcome = await run().catch((problem) => stopped(problem));
    const waits = (await store.queue.waiting()).ops > 0;
    isRunning = false;
    if (!isStarted) return;
    if (outcome.state === 'offline') plan(outcome.retry_ms ?? Math.min(api.pause(failures), pauses.whileWaiting));
    else if (isAsked) plan(pauses.afterAnOp); // something was recorded while this run was under way
    else plan(outcome.state === 'busy' || waits ? pauses.whileWaiting : pauses.quiet);
  }

  function plan(ms) {
    isAsked = true;
    clearTimeout(timer);
    timer = setTimeout(cycle, ms);
  }

  const now = () => plan(0);
  const whenSeen = () => {
    if (globalThis.document?.visibilityState !== 'hidden') now();
  };

  return {
    run,
    api,
    /** Runs now and whenever there is a reason to. */
    start() {
      if (isStarted) return;
      isStarted = true;
      globalThis.addEventListener?.('online', now);
      globalThis.addEventListener?.('pageshow', whenSeen);
      globalThis.document?.addEventListener('visibilitychange', whenSeen);
      stopListening = store.bus.listen((topic) => {
        if (topic === 'op') plan(pauses.afterAnOp);
        if (topic === 'enrolled') now();
      });
      now();
    },
    stop() {
      isStarted = false;
      clearTimeout(timer);
      stopListening();
      globalThis.removeEventListener?.('online', now);
      globalThis.removeEventListener?.('pageshow', whenSeen);
      globalThis.document?.removeEventListener('visibilitychange', whenSeen);
    },
  };
}
