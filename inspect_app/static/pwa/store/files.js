/**
 * Bytes by path: in the origin's private file system where the browser can write there from a page, and as
 * ArrayBuffers in the outbox database where it cannot. Never as Blobs in IndexedDB: WebKit loses those.
 */

/**
 * @typedef {object} Files
 * @property {(path: string, bytes: ArrayBuffer) => Promise<void>} write on disk when it resolves
 * @property {(path: string) => Promise<ArrayBuffer|null>} read
 * @property {(path: string, type?: string) => Promise<Blob|null>} blob not read into memory where the browser can avoid it
 * @property {(path: string) => Promise<void>} remove
 * @property {(path: string, text: string) => Promise<void>} append adds to the end; resolves without effect where there is no file system
 * @property {(folder: string) => Promise<string[]>} list names in a folder
 * @property {() => Promise<boolean>} separate whether files live apart from the database
 */

/**
 * @param {{outbox: import('./database.js').Database, directory?: () => Promise<any>, locks?: any}} parts
 *   directory: gives the root of the private file system; throws where there is none
 * @returns {Files}
 */
export function makeFiles({ outbox, directory = privateFileSystem, locks }) {
  /** @type {Promise<any>|null} */
  let asked = null;
  const root = () => (asked ??= directory().catch(() => null));

  async function handle(path, create) {
    const parts = path.split('/');
    const name = /** @type {string} */ (parts.pop());
    let folder = await root();
    for (const part of parts) folder = await folder.getDirectoryHandle(part, { create });
    return folder.getFileHandle(name, { create });
  }

  async function found(path) {
    try {
      return await (await handle(path, false)).getFile();
    } catch (problem) {
      if (/** @type {Error} */ (problem).name === 'NotFoundError') return null;
      throw problem;
    }
  }

  const blobs = (mode, work) => outbox[mode](['blobs'], (tx) => work(tx.objectStore('blobs')));

  return {
    async write(path, bytes) {
      if (!(await root())) return blobs('write', (store) => store.put(bytes, path));
      const stream = await (await handle(path, true)).createWritable();
      try {
        await stream.write(bytes);
      } catch (problem) {
        await stream.abort().catch(() => undefined);
        throw problem;
      }
      await stream.close();
    },
    async read(path) {
      const file = (await root()) ? await found(path) : null;
      // A file kept before the file system could be used is still in the database.
      return file ? file.arrayBuffer() : ((await blobs('read', (store) => store.get(path))) ?? null);
    },
    async blob(path, type = '') {
      const file = (await root()) ? await found(path) : null;
      if (file) return file.slice(0, file.size, type);
      const bytes = await blobs('read', (store) => store.get(path));
      return bytes ? new Blob([bytes], { type }) : null;
    },
    async remove(path) {
      if (await root()) {
        const parts = path.split('/');
        const name = parts.pop();
        try {
          let folder = await root();
          for (const part of parts) folder = await folder.getDirectoryHandle(part);
          await folder.removeEntry(name);
        } catch (problem) {
          if (/** @type {Error} */ (problem).name !== 'NotFoundError') throw problem;
        }
      }
      await blobs('write', (store) => store.delete(path));
    },
    async append(path, text) {
      if (!(await root())) return;
      const add = async () => {
        const file = await handle(path, true);
        const stream = await file.createWritable({ keepExistingData: true });
        await stream.write({ type: 'write', position: (await file.getFile()).size, data: text });
        await stream.close();
      };
      // Two tabs that append at once would each close with its own copy of the file.
      await (locks ? locks.request(`append ${path}`, add) : add());
    },
    async list(folder) {
      const names = [];
      if (await root()) {
        try {
          let at = await root();
          for (const part of folder.split('/')) at = await at.getDirectoryHandle(part);
          for await (const name of at.keys()) names.push(name);
        } catch (problem) {
          if (/** @type {Error} */ (problem).name !== 'NotFoundError') throw problem;
        }
      }
      const kept = await blobs('read', (store) => store.getAllKeys());
      for (const path of kept) if (path.startsWith(`${folder}/`)) names.push(path.slice(folder.length + 1));
      return names.sort();
    },
    separate: async () => Boolean(await root()),
  };
}

/** The private file system's root, if a page may write files in it. */
async function privateFileSystem() {
  const root = await navigator.storage.getDirectory();
  // Safari before 26 writes only from workers: the database serves there.
  if (!('createWritable' in FileSystemFileHandle.prototype)) throw new Error('no createWritable');
  return root;
}
