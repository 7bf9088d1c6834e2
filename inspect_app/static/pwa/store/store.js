/**
 * Opens everything this tablet keeps and ties it together. app.js calls it once and hands the parts to screens and sync.
 */

import { makeBus } from './bus.js';
import { openOutbox, openReplica } from './database.js';
import { makeExport } from './export.js';
import { makeFiles } from './files.js';
import { sha256, sha256Base64 } from './hashes.js';
import { makeInspections, pageClock } from './inspections.js';
import { makeJournal } from './journal.js';
import { makeKeys } from './keys.js';
import { makeMaps } from './maps.js';
import { makePhotos, photoPath } from './photos.js';
import { makeQueue, RETENTION_MS } from './queue.js';
import { makeReplica } from './replica.js';
import { makeStatus } from './status.js';
import { uuidv7 } from './uuid.js';

/**
 * @param {object} [parts] what a test or a worker hands in; a page needs none of it
 * @param {import('./journal.js').Clock} [parts.clock]
 * @param {string} [parts.app] version of the app, written into every op
 * @param {string} [parts.name] prefix of the databases' names
 * @param {() => Promise<any>} [parts.directory] root of the private file system
 * @param {any} [parts.storage] navigator.storage
 * @param {any} [parts.locks] navigator.locks
 * @param {Storage} [parts.tab] sessionStorage
 * @param {(bytes: ArrayBuffer, mime: string) => Promise<ArrayBuffer|null>} [parts.preview]
 */
export function openStore({ clock = pageClock, app = '', name = '', directory, storage, locks, preview, tab } = {}) {
  const lockManager = locks ?? globalThis.navigator?.locks;
  const bus = makeBus(`${name}inspect`);
  const outbox = openOutbox(`${name}outbox`);
  // Each person has a copy of their own of what the server sent: it is what they may see, and it waits for them.
  const replicaDatabase = openReplica(async () => {
    const head = await outbox.read(['meta'], (tx) => tx.objectStore('meta').get('device'));
    return `${name}replica-${head?.person?.id ?? 'nobody'}`;
  });
  bus.listen((topic) => {
    if (topic === 'person') replicaDatabase.close(); // in every tab: the next use opens the other one
  });
  const files = makeFiles({ outbox, directory, locks: lockManager });
  const keys = makeKeys(outbox);
  const journal = makeJournal({ outbox, keys, clock, app, bus, copy });
  const photos = makePhotos({ outbox, files, journal, clock, bus, preview });
  const queue = makeQueue({ outbox, journal, bus, clock });
  const replica = makeReplica({ replica: replicaDatabase, queue, bus });
  const marker = {
    get: async () => {
      if (!(await files.separate())) return null;
      const bytes = await files.read('marker.json');
      return bytes ? JSON.parse(new TextDecoder().decode(bytes)) : null;
    },
    set: async (value) => {
      if (await files.separate()) await files.write('marker.json', new TextEncoder().encode(JSON.stringify(value)).buffer);
    },
  };
  const maps = makeMaps({ files, sha256, bus });
  const state = makeStatus({ outbox, replica: replicaDatabase, bus, storage, marker });
  const inspections = makeInspections({
    outbox, replica: replicaDatabase, clock, app, bus, journal, photos, files, tab, refusal: state.refusal,
  });

  /**
   * The second copy of the journal, in another kind of storage. It must never fail what is already in the first.
   * @param {import('./journal.js').Op[]} ops
   */
  async function copy(ops) {
    const lines = ops.map((op) => `${JSON.stringify({ op_id: op.op_id, device_id: op.device_id, seq: op.seq, ...op.envelope })}\n`);
    try {
      await files.append(`journal/${dayOf(clock.now())}.jsonl`, lines.join(''));
    } catch {
      bus.say('storage'); // the header then measures the storage again and says what it finds
    }
  }

  /** Forgets what the office has had for 30 days, in both copies of the journal. */
  async function prune() {
    await queue.prune();
    const [waiting] = await queue.unsent(1, 0);
    const from = Math.min(clock.now() - RETENTION_MS, waiting?.made_at ?? Infinity);
    for (const name of await files.list('journal')) {
      if (name < `${dayOf(from)}.jsonl`) await files.remove(`journal/${name}`);
    }
  }

  /** Lets go of the databases, as a page must when it is hidden; the next use opens them again. */
  async function close() {
    await outbox.close();
    await replicaDatabase.close();
  }

  return {
    inspections, status: state.status, onStatus: state.onStatus, protect: state.protect, mark: state.mark,
    outbox, replica, replicaDatabase, files, maps, keys, journal, photos, queue, bus, clock, app, locks: lockManager,
    photoPath, hash: { sha256, sha256Base64 }, newId: () => uuidv7(clock.now()),
    ...makeExport({ outbox, photos, files, clock }),
    close, prune,
    /** Who works with this tablet; read when somebody comes or goes, not at every start. */
    people: () => import('./people.js'),
    /**
     * What a start owes to the run before: connections are dropped when the page is put aside, missing previews are
     * made, a replica that was rebuilt gets its overlay back, a keystroke that a reload cut off gets to the disk.
     * @returns {Promise<{previews: Promise<void>, marked: Promise<void>}>}
     */
    async start() {
      await Promise.all([replica.born(), inspections.recover()]);
      globalThis.addEventListener?.('pagehide', close);
      globalThis.addEventListener?.('pageshow', (event) => {
        if (/** @type {PageTransitionEvent} */ (event).persisted) bus.say('resumed');
      });
      // Neither is waited for, nor begun before the list is on the screen, which takes less than a second.
      return { previews: idle().then(photos.complete), marked: idle().then(state.mark) };
    },
  };
}

/** A moment in which the page has nothing else to do; at once where there is no page. @returns {Promise<void>} */
const idle = () => new Promise((done) => {
  if (typeof globalThis.requestIdleCallback === 'function') requestIdleCallback(() => done(), { timeout: 2000 });
  else done();
});

/** @param {number} ms since 1970 */
const dayOf = (ms) => new Date(ms).toISOString().slice(0, 10);

/** @typedef {ReturnType<typeof openStore>} Store */
