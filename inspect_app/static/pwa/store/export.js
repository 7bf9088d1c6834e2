/**
 * Everything that was not sent, as one file: a zip of the ops (one envelope a line, as they would be posted), of what is
 * known of each photo, and of the originals by hash. Another tablet can send it; any unzip can read it.
 */

import { zipped } from './zip.js';
import { originalPath } from './photos.js';

/** @param {{sha256: string, mime: string}} photo */
export const photoName = ({ sha256, mime }) => `photos/${sha256}.${mime.split('/')[1]}`;

/**
 * @param {{outbox: import('./database.js').Database, photos: import('./photos.js').Photos,
 *          files: import('./files.js').Files, clock: import('./journal.js').Clock}} parts
 */
export function makeExport({ outbox, photos, files, clock }) {
  /**
   * @returns {Promise<{name: string, blob: Blob, ops: number, photos: number}>}
   */
  async function exportUnsent() {
    const ops = await outbox.read(['meta', 'ops'], async (tx) => {
      const head = await tx.objectStore('meta').get('device');
      return head
        ? tx.objectStore('ops').getAll(IDBKeyRange.bound([head.device_id, head.acknowledged + 1], [head.device_id, Infinity]))
        : [];
    });
    const entries = [{ name: 'ops.jsonl', blob: new Blob(ops.map((op) => `${JSON.stringify(op.envelope)}\n`)) }];
    const rows = [];
    for (const photo of await photos.all()) {
      if (photo.original.state === 'stored') continue;
      const blob = await files.blob(originalPath(photo.photo_id), photo.mime);
      if (!blob) continue;
      const { photo_id, record_id, sha256, bytes, mime, row } = photo;
      rows.push({ photo_id, record_id, sha256, bytes, mime, row });
      entries.push({ name: photoName(photo), blob });
    }
    entries.splice(1, 0, { name: 'photos.jsonl', blob: new Blob(rows.map((row) => `${JSON.stringify(row)}\n`)) });
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    return { name: `unsent-${day}.zip`, blob: await zipped(entries, new Date(clock.now())), ops: ops.length, photos: rows.length };
  }

  /** The second copy of the journal, for when the database cannot be opened. @returns {Promise<Blob>} */
  async function exportJournalCopy() {
    const parts = [];
    for (const name of await files.list('journal')) {
      const blob = await files.blob(`journal/${name}`);
      if (blob) parts.push(blob);
    }
    return new Blob(parts, { type: 'application/jsonl' });
  }

  return { exportUnsent, exportJournalCopy };
}
