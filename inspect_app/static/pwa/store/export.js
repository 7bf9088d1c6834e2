/**
 * Everything that was not sent, as one file: a zip of the ops (one envelope a line, as they would be posted) and of
 * the original photos by hash. The office can take it in, and it can be read with any unzip.
 */

import { zipped } from './zip.js';
import { originalPath } from './photos.js';

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
    let kept = 0;
    for (const photo of await photos.all()) {
      if (photo.original.state === 'stored') continue;
      const blob = await files.blob(originalPath(photo.photo_id), photo.mime);
      if (!blob) continue;
      entries.push({ name: `photos/${photo.sha256}.${photo.mime.split('/')[1]}`, blob });
      kept += 1;
    }
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    return { name: `unsent-${day}.zip`, blob: await zipped(entries, new Date(clock.now())), ops: ops.length, photos: kept };
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
