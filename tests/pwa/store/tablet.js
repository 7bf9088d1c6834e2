/** A tablet for the tests: the real store and the real engine on an IndexedDB in memory, with a clock that is told. */

import 'fake-indexeddb/auto';

import { openStore } from '../../../inspect_app/static/pwa/store/store.js';
import { makeEngine } from '../../../inspect_app/static/pwa/sync/engine.js';
import { makeEnrolment } from '../../../inspect_app/static/pwa/sync/enrol.js';

let made = 0;

/** Web Locks, as far as they are used: one holder per name, in order, or nothing if it is taken. */
export function makeLocks() {
  const held = new Map();
  return {
    async request(name, ...rest) {
      const work = rest.at(-1);
      const options = rest.length > 1 ? rest[0] : {};
      if (options.ifAvailable && held.has(name)) return work(null);
      const before = held.get(name) ?? Promise.resolve();
      const mine = before.then(() => work({ name }));
      const settled = mine.then(() => undefined, () => undefined);
      held.set(name, settled);
      try {
        return await mine;
      } finally {
        if (held.get(name) === settled) held.delete(name);
      }
    },
  };
}

export function makeClock() {
  const clock = {
    at: Date.UTC(2026, 5, 3, 14, 0, 0),
    slept: [],
    now: () => clock.at,
    mono: () => clock.at % 1e9,
    async sleep(ms) {
      clock.slept.push(ms);
      clock.at += ms;
    },
  };
  return clock;
}

/**
 * @param {{server?: any, name?: string, preview?: any, directory?: any, storage?: any}} [how]
 *   the same name opens the same storage again, as another tab or the next start would
 */
export function makeTablet({ server, name = `t${(made += 1)}-`, clock = makeClock(), locks = makeLocks(), preview = async () => null, directory, storage = null, tab, log = () => {}, pauses, originals, awake = () => undefined } = {}) {
  const store = openStore({ name, clock, app: '0.1.0', locks, preview, directory: directory ?? (async () => { throw new Error('none'); }), storage, tab });
  const parts = { store, fetch: server?.fetch, clock, random: () => 0.5, locks, log, origin: '', pauses, originals, awake };
  const engine = makeEngine(parts);
  const enrolment = makeEnrolment(parts);
  return {
    name, clock, locks, store, engine, ...store.inspections,
    enrol: (code = 'GOOD000001') => enrolment.enrol({ code, name: 'Tablet 1' }),
    signIn: enrolment.signIn, signOut: enrolment.signOut, people: enrolment.people,
    sync: (how) => engine.run(how),
    /** Closed in mid-air and opened again. */
    async reopened(more = {}) {
      await store.close();
      return makeTablet({ server, name, clock, locks, preview, directory, storage, tab, log, ...more });
    },
    ops: () => store.outbox.read(['ops'], (tx) => tx.objectStore('ops').getAll()),
  };
}

/** An enrolled tablet that has its forms. */
export async function enrolled(server, more = {}) {
  const tablet = makeTablet({ server, ...more });
  await tablet.enrol();
  await tablet.sync();
  return tablet;
}

export const measure = (value, unit = 'in') => ({ value, unit });
export const photoOf = (size, seed = 1) => {
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = (i * 31 + seed * 17 + (i >> 8)) & 255;
  return { bytes: bytes.buffer, mime: 'image/jpeg', shows: 'tape_at_joint', proves: 'joint_distance_up', taken_at: '2026-06-03T09:00:00.000-05:00' };
};
