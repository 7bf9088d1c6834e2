/**
 * Photos: the bytes as captured, hashed before anything else happens to them, never encoded again and kept until the
 * server says that it holds them durably. Previews are made from them, one at a time.
 */

import { NotKept } from './database.js';
import { sha256 } from './hashes.js';
import { isOf } from './journal.js';
import { makePreview } from './preview.js';
import { uuidv7 } from './uuid.js';

export const LARGEST_PHOTO_BYTES = 40 * 1024 * 1024;
const MIMES = ['image/jpeg', 'image/png', 'image/heic', 'image/heif', 'image/webp'];

/**
 * @typedef {object} Upload how far one kind of a photo's bytes has travelled
 * @property {string} sha256
 * @property {number} bytes
 * @property {string|null} url where the server takes them
 * @property {number} off bytes the server confirmed
 * @property {'waiting'|'stored'} state
 * @property {number} [bad] how often the server found another hash than ours
 *
 * @typedef {object} PhotoRow
 * @property {string} photo_id
 * @property {string} record_id
 * @property {string} [user_id] its author
 * @property {string} sha256
 * @property {number} bytes
 * @property {string} mime
 * @property {any} row {shows, proves, taken_at, taken_place, from_library, clause?, shrunk_from?}
 * @property {string[]} [lines] burnt into the preview
 * @property {'waiting'|'stored'|'durable'|'set_aside'} state
 * @property {string} [why] a sentence, when set aside
 * @property {Upload} original
 * @property {Upload|null} preview null: not made (yet)
 * @property {boolean} [no_preview] this browser cannot make one of these bytes
 * @property {string} [carried] the file of another tablet that it came with
 * @property {boolean} [freed] the original's bytes were let go of
 * @property {number} made_at
 */

export const originalPath = (id) => `photos/${id}`;
export const previewPath = (id) => `previews/${id}`;
/** @param {string} id @param {'original'|'preview'} kind */
export const photoPath = (id, kind) => (kind === 'preview' ? previewPath(id) : originalPath(id));

/**
 * @param {{outbox: import('./database.js').Database, files: import('./files.js').Files,
 *          journal: import('./journal.js').Journal, clock: import('./journal.js').Clock, bus?: import('./bus.js').Bus,
 *          preview?: (bytes: ArrayBuffer, mime: string, lines?: string[]) => Promise<ArrayBuffer|null>}} parts
 */
export function makePhotos({ outbox, files, journal, clock, bus, preview = makePreview }) {
  /** One decoded picture at a time: a 12-megapixel bitmap is 49 MB. */
  let turn = Promise.resolve();
  /** Previews that are being made. @type {Map<string, Promise<void>>} */
  const pending = new Map();

  /** @param {string} id @returns {Promise<PhotoRow|undefined>} */
  const row = (id) => outbox.read(['photos'], (tx) => tx.objectStore('photos').get(id));

  /**
   * Changes a photo's row as it is on disk now; the function gets the row and returns the new one.
   * @param {string} id @param {(row: PhotoRow) => PhotoRow|undefined} change
   */
  async function update(id, change) {
    await outbox.write(['photos'], async (tx) => {
      const now = await tx.objectStore('photos').get(id);
      const next = now && change(now);
      if (next) await tx.objectStore('photos').put(next);
    });
    bus?.say('photos');
  }

  /**
   * Keeps a photo: bytes, then the op that promises them and the row that tracks them, together.
   * @param {string} record_id
   * @param {{bytes: ArrayBuffer, mime: string, shows: string, proves?: string|null, taken_at: string,
   *          taken_place?: any, from_library?: any, clause?: string, shrunk_from?: any, lines?: string[]}} photo
   * @returns {Promise<string>} photo_id, when bytes and promise are on disk; the preview follows by itself
   */
  async function add(record_id, { bytes, mime, lines = [], ...about }) {
    if (!MIMES.includes(mime)) {
      throw new NotKept(`This file is not a photo the office can read (${mime || 'unknown type'}). Take a JPEG or PNG.`, null);
    }
    if (bytes.byteLength === 0) throw new NotKept('The photo arrived empty. Take it again.', null);
    if (bytes.byteLength > LARGEST_PHOTO_BYTES) {
      throw new NotKept('The photo is larger than 40 MB, more than the office accepts. Take it again at a lower size.', null);
    }
    const photo_id = uuidv7(clock.now());
    const hash = await sha256(bytes);
    const path = originalPath(photo_id);
    const shown = { shows: about.shows, proves: about.proves ?? null, taken_at: about.taken_at,
      taken_place: about.taken_place ?? null, from_library: about.from_library ?? 'no',
      ...(about.clause && { clause: about.clause }), ...(about.shrunk_from && { shrunk_from: about.shrunk_from }) };
    try {
      await files.write(path, bytes);
      await journal.append(async (head) => ({
        entries: [{
          kind: 'photo.attach',
          record_id,
          own: { photo_id, sha256: hash, bytes: bytes.byteLength, mime, row: shown },
        }],
        stores: ['photos'],
        apply: (tx) => tx.objectStore('photos').add({
          photo_id, record_id, user_id: head.person?.id, sha256: hash, bytes: bytes.byteLength, mime, row: shown, state: 'waiting',
          ...(lines.length && { lines }),
          original: { sha256: hash, bytes: bytes.byteLength, url: null, off: 0, state: 'waiting' },
          preview: null, made_at: clock.now(),
        }),
      }));
    } catch (problem) {
      // Nothing promises these bytes, so they would only fill the disk; what was kept before is untouched.
      await files.remove(path).catch(() => undefined);
      if (problem instanceof NotKept || /** @type {Error} */ (problem).name !== 'QuotaExceededError') throw problem;
      throw new NotKept('The photo could not be kept: the tablet has no space left. Everything kept before is still here. ' +
        'Send what waits or free some space, then take it again.', problem);
    }
    derive(photo_id, bytes, mime, lines);
    return photo_id;
  }

  /** Makes and keeps the preview; a photo without one is still a photo. */
  function derive(photo_id, bytes, mime, lines = []) {
    const result = turn.then(async () => {
      const small = await preview(bytes, mime, lines).catch(() => null);
      if (!small) return update(photo_id, (now) => ({ ...now, no_preview: true }));
      const hash = await sha256(small);
      await files.write(previewPath(photo_id), small);
      await update(photo_id, (now) => ({
        ...now,
        preview: now.preview ?? { sha256: hash, bytes: small.byteLength, url: null, off: 0, state: 'waiting' },
      }));
    }).catch(() => undefined) // a full disk: the original is safe, and the next start tries again
      .finally(() => pending.delete(photo_id));
    pending.set(photo_id, result);
    turn = result;
    return result;
  }

  /** Makes the previews that a closed page left out. Called at start. */
  async function complete() {
    for (const photo of await all()) {
      if (photo.preview || photo.no_preview || photo.state === 'durable') continue;
      const bytes = await files.read(originalPath(photo.photo_id));
      if (bytes) await derive(photo.photo_id, bytes, photo.mime, photo.lines);
    }
  }

  /** @returns {Promise<PhotoRow[]>} in the order taken */
  async function all() {
    const rows = await outbox.read(['photos'], (tx) => tx.objectStore('photos').getAll());
    return rows.sort((a, b) => a.made_at - b.made_at || (a.photo_id < b.photo_id ? -1 : 1));
  }

  /** The picture to show: the preview, once it is made, or the original where there is none. */
  async function shown(photo_id) {
    await pending.get(photo_id);
    const [photo, head] = await Promise.all([row(photo_id), journal.head()]);
    if (!photo || !isOf(head, photo.user_id)) return null;
    return (await files.blob(previewPath(photo_id), 'image/jpeg')) ?? files.blob(originalPath(photo_id), photo.mime);
  }

  /** Lets go of an original; the preview stays for the screen. Only ever called for a photo the server holds durably. */
  async function free(photo_id) {
    const photo = await row(photo_id);
    if (photo?.state !== 'durable' || photo.freed) return;
    await files.remove(originalPath(photo_id));
    await update(photo_id, (now) => ({ ...now, freed: true }));
  }

  /** The server may have lost what it confirmed: every photo whose bytes are still here is sent again. */
  async function doubt() {
    for (const photo of await all()) {
      if (photo.state === 'set_aside' || photo.freed) continue;
      await update(photo.photo_id, (now) => ({
        ...now, state: 'waiting',
        original: { ...now.original, url: null, off: 0, state: 'waiting' },
        preview: now.preview && { ...now.preview, url: null, off: 0, state: 'waiting' },
      }));
    }
  }

  return {
    add, row, update, all, shown, complete, free, doubt,
    /** Resolves when no preview is being made. */
    settled: () => turn,
  };
}

/** @typedef {ReturnType<typeof makePhotos>} Photos */
