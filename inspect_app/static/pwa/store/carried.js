/**
 * A file of another tablet's unsent work, taken over to be sent from here: its ops keep the number and the signature of
 * their own tablet, its photos their ids. Nobody who works with this tablet sees any of it.
 */

import { photoName } from './export.js';
import { originalPath } from './photos.js';
import { unzipped } from './zip.js';

/** The file is not one of ours, or not whole; the message is for the person. */
export class NotTaken extends Error {}

/** @typedef {{id: string, name: string, ops: number, next: number, photos: number, counts: Record<string, number>}} Carried */

/** @param {{store: import('./store.js').Store}} parts */
export function makeCarried({ store }) {
  const { outbox, files, photos, bus, clock } = store;

  /**
   * Keeps what is in the file; sending is the engine's.
   * @param {File} file
   * @returns {Promise<Carried>}
   */
  async function take(file) {
    const entries = await unzipped(file).catch(() => new Map());
    const ops = await lines(entries.get('ops.jsonl'));
    if (!entries.has('ops.jsonl') || ops.some((op) => typeof op.body !== 'string')) {
      throw new NotTaken('This is not a file of unsent work, or it is not whole. Save it again on the other tablet.');
    }
    let kept = 0;
    const id = store.newId();
    for (const row of await lines(entries.get('photos.jsonl'))) {
      const blob = entries.get(photoName(row));
      const bytes = blob && (await blob.arrayBuffer());
      if (!bytes || (await store.hash.sha256(bytes)) !== row.sha256) throw new NotTaken('A photo in this file is damaged. Save the file again on the other tablet.');
      if (await photos.row(row.photo_id)) continue;
      await files.write(originalPath(row.photo_id), bytes);
      await outbox.write(['photos'], (tx) => tx.objectStore('photos').put({
        ...row, user_id: '', carried: id, state: 'waiting', preview: null, made_at: clock.now(),
        original: { sha256: row.sha256, bytes: row.bytes, url: null, off: 0, state: 'waiting' },
      }));
      kept += 1;
    }
    const carried = { id, name: file.name, ops: ops.length, next: 0, photos: kept, counts: {} };
    await outbox.write(['meta'], async (tx) => {
      const meta = tx.objectStore('meta');
      await meta.put([...((await meta.get('carried')) ?? []), carried], 'carried');
      await meta.put(ops, `carried:${id}`);
    });
    bus.say('op');
    photos.complete();
    return carried;
  }

  /** Takes a file off the list; it was sent, or is of no more use. @param {string} id */
  const drop = (id) => outbox.write(['meta'], async (tx) => {
    const meta = tx.objectStore('meta');
    await meta.put(((await meta.get('carried')) ?? []).filter((one) => one.id !== id), 'carried');
    await meta.delete(`carried:${id}`);
  }).then(() => bus.say('answered'));

  return { take, drop };
}

/** @param {Blob|undefined} blob @returns {Promise<any[]>} */
const lines = async (blob) => ((await blob?.text()) ?? '').split('\n').filter(Boolean).map((line) => JSON.parse(line));
