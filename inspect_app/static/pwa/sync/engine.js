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
import { makeCarry } from './carry.js';
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
 *          log?: (entry: object) => void, origin?: string, pauses?: typeof PAUSES, originals?: () => boolean,
 *          awake?: () => Promise<{release: () => Promise<void>}>|undefined}} parts
 *   originals: whether this line is one for originals of photos; awake: keeps the screen on while something is sent
 */
export function makeEngine({
  store, fetch = (...args) => globalThis.fetch(...args), clock = store.clock, random = Math.random,
  locks = store.locks, log = () => undefined, origin = '', pauses = PAUSES,
  originals = () => true, awake = () => globalThis.navigator?.wakeLock?.request('screen'),
}) {
  const api = makeApi({ store, fetch, clock, random, locks, log, origin });
  const { push, epochChanged } = makePush({ store, api, log });
  const { pull, reference } = makePull({ store, api, log, epochChanged });
  const carry = makeCarry({ store, api, log });
  const { upload } = makeUpload({ store, api, log });

  let failures = 0;
  let timer;
  /** @type {() => void} */
  let stopListening = () => undefined;
  let isStarted = false;
  let isRunning = false;
  let isAsked = false;
  let isPressed = false;

  /** @param {{all?: boolean}} [how] all: a person pressed for it, so originals go on any line @returns {Promise<Outcome>} */
  async function run({ all = false } = {}) {
    // A press is not lost to a run that is under way: it follows on.
    if (all && isPressed) return { state: 'busy' };
    isPressed ||= all;
    return locks.request('sync', { ifAvailable: !all }, async (lock) => {
      if (!lock) return { state: 'busy' };
      if (all) isPressed = false;
      // A tablet that falls asleep in the middle of its photos would send the rest tomorrow. Not everywhere, and never
      // when the page is not in front.
      const light = (await store.queue.waiting()).bytes ? await Promise.resolve(awake()).catch(() => undefined) : undefined;
      try {
        return await pass(all || originals());
      } finally {
        await light?.release().catch(() => undefined);
      }
    });
  }

  /** @param {boolean} withOriginals @returns {Promise<Outcome>} */
  async function pass(withOriginals) {
    await store.queue.report({ running: true, held: !withOriginals });
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
      await carry();
      await receive();
      const records = async () => {
        await push();
        await receive();
      };
      // What was written while the photos went, and the records that now have their photos.
      if (await upload(records, withOriginals)) await records();
      if (late) throw late;
      await store.prune();
      failures = 0;
      const { needs, reason } = paused;
      const head = await store.queue.device();
      const held = !withOriginals && (await store.queue.waiting()).bytes > 0;
      await store.queue.report({ running: false, online: true, needs, reason, ...(needs || held ? {} : { last_full_sync: clock.now(), full_seq: head?.last_seq ?? 0, full_of: head?.device_id }) });
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
