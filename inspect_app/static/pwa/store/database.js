/**
 * The two databases of the tablet.
 *
 * `outbox` holds what exists nowhere else. It stays at version 1 for ever, so that no release and no rollback of a
 * release can fail to open it; everything new goes into its JSON. `replica` holds what the server can send again and
 * is thrown away and rebuilt whenever its version does not fit.
 */

import { deleteDB, openDB } from '../../vendor/idb/build/index.js';
import { rowOf } from './rows.js';

const OUTBOX_VERSION = 1; // for ever
const REPLICA_VERSION = 2; // raise it whenever the stores below change: the old copy is then deleted, or led over

/** Names under which a full disk showed itself in the browsers we tried. */
const DISK_TROUBLE = new Set(['QuotaExceededError', 'UnknownError']);
const LOST_CONNECTION = new Set(['InvalidStateError', 'UnknownError']);

/** The tablet could not put something on its disk; the message is for the person. */
export class NotKept extends Error {
  /** @param {string} message @param {unknown} cause */
  constructor(message, cause) {
    super(message, { cause });
    this.name = 'NotKept';
  }
}

/**
 * @typedef {object} Database
 * @property {<T>(stores: string[], work: (tx: any) => Promise<T>) => Promise<T>} read
 * @property {<T>(stores: string[], work: (tx: any) => Promise<T>) => Promise<T>} write strict durability; all or nothing
 * @property {() => Promise<void>} close closes; the next use opens again
 * @property {() => boolean} outdated another tab asked for this database to be closed
 */

/**
 * The database of what waits to be sent.
 * @param {string} [name]
 * @returns {Database}
 */
export function openOutbox(name = 'outbox') {
  return database((events) =>
    openDB(name, OUTBOX_VERSION, {
      upgrade(db) {
        const ops = db.createObjectStore('ops', { keyPath: ['device_id', 'seq'] });
        ops.createIndex('op_id', 'op_id');
        ops.createIndex('record_id', 'record_id');
        const results = db.createObjectStore('results', { keyPath: 'op_id' });
        results.createIndex('status', 'status');
        db.createObjectStore('meta');
        db.createObjectStore('keys');
        const photos = db.createObjectStore('photos', { keyPath: 'photo_id' });
        photos.createIndex('record_id', 'record_id');
        photos.createIndex('state', 'state');
        const drafts = db.createObjectStore('drafts', { keyPath: ['record_id', 'group'] });
        drafts.createIndex('record_id', 'record_id');
        db.createObjectStore('blobs');
      },
      ...events,
    }),
  );
}

/**
 * The database of what the server sent to one person.
 * @param {string|(() => Promise<string>)} [named] asked for at each opening: another person has another one
 * @param {number} [version]
 * @returns {Database}
 */
export function openReplica(named = 'replica', version = REPLICA_VERSION) {
  const open = (name, events) =>
    openDB(name, version, {
      async upgrade(db, from, _to, tx) {
        if (from === 1) {
          // Only the lines are new: they are made from the records, so that a tablet updated on the way keeps its lists.
          const rows = db.createObjectStore('rows', { keyPath: 'id' });
          for (let at = await tx.objectStore('records').openCursor(); at; at = await at.continue()) await rows.put(rowOf(at.value.id, at.value.doc, at.value.deleted));
          return;
        }
        // Forms and packs are the server's own JSON and needed with no signal: they outlive a rebuild.
        for (const store of [...db.objectStoreNames]) if (store !== 'reference') db.deleteObjectStore(store);
        db.createObjectStore('records', { keyPath: 'id' });
        db.createObjectStore('rows', { keyPath: 'id' });
        db.createObjectStore('assignments', { keyPath: 'id' });
        const conflicts = db.createObjectStore('conflicts', { keyPath: 'id' });
        conflicts.createIndex('record_id', 'record_id');
        if (!db.objectStoreNames.contains('reference')) db.createObjectStore('reference');
        db.createObjectStore('meta');
      },
      ...events,
    });
  return database(async (events) => {
    const name = typeof named === 'string' ? named : await named();
    try {
      return await open(name, events);
    } catch (problem) {
      if (!(problem instanceof Error) || problem.name !== 'VersionError') throw problem;
      // An older release met the copy of a newer one. Nothing in it is the only copy of anything.
      await deleteDB(name);
      return open(name, events);
    }
  });
}

/**
 * Keeps one connection, opens it again when the system took it away, and gives transactions.
 * @param {(events: object) => Promise<any>} open
 * @returns {Database}
 */
function database(open) {
  /** @type {Promise<any>|null} */
  let connection = null;
  let isOutdated = false;

  const forget = () => {
    connection = null;
  };
  const opened = () => {
    connection ??= open({
      // A newer release in another tab wants the database: let go, so that it is not blocked; we open again when used.
      blocking: async () => {
        isOutdated = true;
        await close();
      },
      blocked: () => undefined, // the tab that holds it closes it in `blocking`; the request then goes on by itself
      terminated: forget,
    }).catch((problem) => {
      forget();
      throw problem;
    });
    return connection;
  };
  const close = async () => {
    const old = connection;
    forget();
    (await old?.catch(() => null))?.close();
  };

  const run = async (mode, stores, work) => {
    for (let attempt = 1; ; attempt++) {
      const db = await opened();
      let tx;
      try {
        tx = db.transaction(stores, mode, mode === 'readwrite' ? { durability: 'strict' } : undefined);
      } catch (problem) {
        // The system closes databases behind a sleeping page. Open once more before giving up.
        if (attempt > 1 || !LOST_CONNECTION.has(/** @type {Error} */ (problem).name)) throw problem;
        await close();
        continue;
      }
      const done = tx.done.catch((problem) => problem);
      try {
        const value = await work(tx);
        const problem = await done;
        if (problem) throw problem;
        return value;
      } catch (problem) {
        try {
          tx.abort();
        } catch {
          // already finished or aborted
        }
        const cause = await done;
        throw explained(problem, cause);
      }
    }
  };

  return {
    read: (stores, work) => run('readonly', stores, work),
    write: (stores, work) => run('readwrite', stores, work),
    close,
    outdated: () => isOutdated,
  };
}

/** A full disk becomes a sentence; anything else stays what it is. */
function explained(problem, cause) {
  for (const error of [problem, cause]) {
    if (error instanceof Error || error instanceof DOMException) {
      if (DISK_TROUBLE.has(error.name)) {
        return new NotKept(
          'This could not be kept: the tablet has no space left. What was kept before is still here. ' +
            'Free some space on the tablet, or send what waits, and do it again.',
          error,
        );
      }
    }
  }
  return problem;
}
