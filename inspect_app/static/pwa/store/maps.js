/**
 * The village's map on this tablet: files of the server, in pieces as they came, so that a download that broke off goes on
 * and none is held in memory whole. What is here can be fetched again.
 */

const folder = (sha256) => `maps/${sha256}`;
const pieceName = (n) => String(n).padStart(5, '0');

/** @typedef {{name: string, bytes: number, sha256: string, piece_bytes: number, pieces: string[]}} Listed a map file as the reference names it */

/** @param {{files: import('./files.js').Files, sha256: (bytes: ArrayBuffer) => Promise<string>, bus: import('./bus.js').Bus}} parts */
export function makeMaps({ files, sha256, bus }) {
  /** Numbers of the pieces that are still to come. @param {Listed} one */
  async function missing(one) {
    const here = new Set(await files.list(folder(one.sha256)));
    return one.pieces.map((_, n) => n).filter((n) => !here.has(pieceName(n)));
  }

  /** @param {Listed} one @param {number} n */
  const sizeOf = (one, n) => Math.min(one.piece_bytes, one.bytes - n * one.piece_bytes);

  return {
    missing,
    sizeOf,
    /** How much of a map is here. @param {Listed[]} listed @returns {Promise<{done: number, of: number, whole: string[]}>} whole: names of the files that are */
    async state(listed) {
      let done = 0;
      const whole = [];
      for (const one of listed) {
        const open = await missing(one);
        done += one.bytes - open.reduce((sum, n) => sum + sizeOf(one, n), 0);
        if (!open.length) whole.push(one.name);
      }
      return { done, of: listed.reduce((sum, one) => sum + one.bytes, 0), whole };
    },
    /** Keeps a piece, if it is the one. @param {Listed} one @param {number} n @param {ArrayBuffer} bytes @returns {Promise<boolean>} */
    async keep(one, n, bytes) {
      if ((await sha256(bytes)) !== one.pieces[n]) return false;
      await files.write(`${folder(one.sha256)}/${pieceName(n)}`, bytes);
      return true;
    },
    /** A whole file, not read into memory where the browser can avoid it. @param {Listed} one @returns {Promise<Blob|null>} */
    async blob(one) {
      const parts = await Promise.all(one.pieces.map((_, n) => files.blob(`${folder(one.sha256)}/${pieceName(n)}`)));
      return parts.every((part) => part !== null) ? new Blob(/** @type {Blob[]} */ (parts)) : null;
    },
    /** Lets go of every map but these. @param {Listed[]} listed */
    async prune(listed) {
      const wanted = new Set(listed.flatMap((one) => one.pieces.map((_, n) => `${one.sha256}/${pieceName(n)}`)));
      for (const name of await files.list('maps')) {
        // A folder of the file system, or a path of the database, which lists what lies deeper too.
        const paths = name.includes('/') ? [name] : (await files.list(`maps/${name}`)).map((piece) => `${name}/${piece}`);
        for (const path of paths) if (!wanted.has(path)) await files.remove(`maps/${path}`);
      }
      bus.say('map');
    },
  };
}

/** @typedef {ReturnType<typeof makeMaps>} Maps */
