/**
 * Practice: inspections that can be done like any other and are never sent.
 *
 * They live in databases of their own, whose journal is signed with a key that no office was ever told, under ids that no
 * office accepts. What sends is handed the tablet's own store and has no way to these; it does not even know their names.
 */

import { deleteDB } from '../../vendor/idb/build/index.js';
import { makeBus } from './bus.js';
import { openOutbox, openReplica } from './database.js';
import { makeFiles } from './files.js';
import { makeInspections, pageClock } from './inspections.js';
import { makeJournal } from './journal.js';
import { makeKeys } from './keys.js';
import { makePhotos } from './photos.js';
import { uuidv7 } from './uuid.js';

/** Ids of practice inspections begin so; the office takes 36 signs of a UUID and nothing else. */
const PREFIX = 'practice-';

/**
 * @param {{reference: import('./database.js').Database, person: {id: string, name: string, roles: string[]}, village: string,
 *          clock?: import('./journal.js').Clock, app?: string, name?: string, preview?: any}} parts
 *   reference: the tablet's copy of forms and rules, which is only read
 */
export async function openPractice({ reference, person, village, clock = pageClock, app = '', name = '', preview }) {
  const names = [`${name}${PREFIX}outbox`, `${name}${PREFIX}replica`];
  const bus = makeBus(`${name}${PREFIX}inspect`);
  const outbox = openOutbox(names[0]);
  const empty = openReplica(names[1]);
  const replica = {
    ...empty,
    /** @type {import('./database.js').Database['read']} */
    read: (stores, work) => (stores.includes('reference') ? reference : empty).read(stores, work),
  };
  // In the database alone: discarding it then discards everything, and no name can meet one of the real files.
  const files = makeFiles({ outbox, directory: async () => { throw new Error('none'); } });
  const keys = makeKeys(outbox);
  const journal = makeJournal({ outbox, keys, clock, app, bus });
  const photos = makePhotos({ outbox, files, journal, clock, bus, preview });
  const inspections = makeInspections({
    outbox, replica, clock, app, bus, journal, photos, files, tab: forgetful(), newId: () => PREFIX + uuidv7(clock.now()),
  });

  const close = async () => { await outbox.close(); await empty.close(); };

  /** Everything of it goes, at once and for good. */
  async function discard() {
    await close();
    await Promise.all(names.map((one) => deleteDB(one)));
    await begin();
    bus.say('discarded');
  }

  /** A head that no office gave out. What another person practised is not shown to this one. */
  async function begin() {
    const head = await journal.head();
    if (head?.person?.id === person.id && head.village === village) return;
    if (head) return void (await discard());
    await keys.prepare();
    await outbox.write(['meta', 'keys'], async (tx) => {
      await keys.adopt(tx);
      await tx.objectStore('meta').put({
        device_id: 'practice', kid: 'practice', epoch: 'practice', village, person, last_seq: 0, last_hash: '', acknowledged: 0, settled: 0, former: [],
      }, 'device');
    });
  }

  await begin();
  globalThis.addEventListener?.('pagehide', close);
  return { inspections, discard, close };
}

/** The tab's own storage belongs to the real work: what is practised leaves no note there. @returns {any} */
const forgetful = () => ({ getItem: () => null, setItem: () => undefined, removeItem: () => undefined });

/** @typedef {Awaited<ReturnType<typeof openPractice>>} Practice */
