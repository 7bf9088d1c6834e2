/**
 * What a simulated tablet's browser keeps: databases and files of one name prefix in memory. They outlive a kill, can be
 * full, copied, and put back as they were on an earlier day.
 */

import 'fake-indexeddb/auto';

import { MemoryDirectory } from '../../pwa/store/directory.js';

/** The browser that does this has ended. */
export class Gone extends Error {}

/** One run of the browser. Whatever of it still goes on after its end does nothing any more. */
export class Life {
  constructor() {
    this.dead = false;
    this.moments = 0; // how many more until it is killed; 0: it is not
    this.ended = new Promise((resolve) => {
      this.end = () => {
        this.dead = true;
        resolve();
      };
    });
  }

  /** A moment in which the browser may be killed: before something is written, or after an answer came. */
  moment() {
    if (this.dead) throw new Gone();
    if (this.moments > 0 && --this.moments === 0) {
      this.end();
      throw new Gone();
    }
  }

  alive() {
    if (this.dead) throw new Gone();
  }
}

const storages = new Map(); // prefix -> Storage
const lives = new WeakMap(); // connection -> the life that opened it
const ofName = (name) => [...storages.values()].find((storage) => name.startsWith(storage.prefix));

const transaction = IDBDatabase.prototype.transaction;
IDBDatabase.prototype.transaction = function begun(stores, mode, options) {
  const storage = ofName(this.name);
  if (storage && !storage.isOpen) {
    if (!lives.has(this)) lives.set(this, storage.life);
    const life = lives.get(this);
    if (mode === 'readwrite') life.moment();
    else life.alive();
  }
  return transaction.call(this, stores, mode, options);
};
for (const name of ['put', 'add']) {
  const write = IDBObjectStore.prototype[name];
  IDBObjectStore.prototype[name] = function written(...what) {
    const storage = ofName(this.transaction.db.name);
    if (storage?.files.full && !storage.isOpen) throw new DOMException('full', 'QuotaExceededError');
    return write.apply(this, what);
  };
}

/** A handle of the file system that ends with the browser. */
function living(handle, life) {
  const guarded = (name, wrap = (value) => value) => async (...rest) => {
    life.alive();
    return wrap(await handle[name](...rest));
  };
  return {
    getDirectoryHandle: guarded('getDirectoryHandle', (found) => living(found, life)),
    getFileHandle: guarded('getFileHandle', (found) => living(found, life)),
    removeEntry: guarded('removeEntry'),
    keys: () => handle.keys(),
    getFile: guarded('getFile'),
    async createWritable(...rest) {
      life.moment();
      return handle.createWritable(...rest);
    },
  };
}

function twin(directory, root = null) {
  const copy = new MemoryDirectory(root);
  for (const [name, entry] of directory.entries) {
    copy.entries.set(name, entry instanceof MemoryDirectory ? twin(entry, copy.root) : Object.assign(Object.create(Object.getPrototypeOf(entry)), { root: copy.root, bytes: entry.bytes }));
  }
  return copy;
}

export class Storage {
  constructor(prefix) {
    this.prefix = prefix;
    this.files = new MemoryDirectory();
    this.life = new Life();
    this.isOpen = false; // opened by the simulation itself, whom nothing stops
    storages.set(prefix, this);
  }

  /** What the store asks for as the root of the private file system. */
  directory() {
    const { life } = this;
    return async () => living(this.files, life);
  }

  /** Every database with all that is in it, and the files. */
  async copied() {
    const databases = [];
    await this.opened(async (db) => {
      const stores = {};
      for (const name of db.objectStoreNames) {
        const store = db.transaction(name, 'readonly').objectStore(name);
        const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
        stores[name] = { inline: store.keyPath !== null, rows: keys.map((key, i) => [key, values[i]]) };
      }
      databases.push({ name: db.name, stores });
    });
    return { databases, files: twin(this.files) };
  }

  async putBack(copy) {
    await this.opened(async (db) => {
      const then = copy.databases.find((one) => one.name === db.name);
      for (const name of db.objectStoreNames) {
        const store = db.transaction(name, 'readwrite').objectStore(name);
        await done(store.clear());
        const { inline, rows } = then?.stores[name] ?? { rows: [] };
        for (const [key, value] of rows) await done(inline ? store.put(value) : store.put(value, key));
      }
    });
    this.files = twin(copy.files);
  }

  async opened(work) {
    this.isOpen = true;
    for (const { name } of await indexedDB.databases()) {
      if (!name.startsWith(this.prefix)) continue;
      const db = await done(indexedDB.open(name));
      await work(db);
      db.close();
    }
    this.isOpen = false;
  }
}

/** @param {IDBRequest} request */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
