/**
 * Sends photos by tus 1.0: previews of all first, then the originals, in chunks that grow on a good line and shrink on
 * a bad one. An upload goes on where it broke off, also after days. A photo counts as sent when the server says that it
 * holds the bytes of that hash, and leaves the tablet only when it says that it holds them durably.
 */

import { CHUNK_TIMEOUT_MS, Unreachable, detail } from './api.js';

const KIB = 1024;
const SMALLEST = 64 * KIB;
const FIRST = 256 * KIB;
const LARGEST = 4 * 1024 * KIB;
const SUCCESSES_TO_GROW = 3;
// A part grows only while one of twice its size would be through in half the time it is given.
const QUICK_MS = CHUNK_TIMEOUT_MS / 4;
const MOST_FAILED = 3; // photos at which the server may fail before it counts as the server's trouble, not theirs
const TRIES = 4;
const PHOTOS_BETWEEN_RECORDS = 20;
const IDS_AT_ONCE = 100;
const TUS = { 'Tus-Resumable': '1.0.0' };

/**
 * @param {{store: import('../store/store.js').Store, api: import('./api.js').Api, log: (entry: object) => void}} parts
 * @returns {{upload: (records: () => Promise<void>, originals?: boolean) => Promise<number>, receipts: () => Promise<void>}}
 */
export function makeUpload({ store, api, log }) {
  const { photos, files } = store;
  let chunk = FIRST;
  let successes = 0;

  /**
   * @param {() => Promise<void>} records pushes and pulls; called before every 20th photo
   * @param {boolean} [originals] false: previews only, the line is not one for large files
   * @returns {Promise<number>} how many previews and originals were sent
   */
  async function upload(records, originals = true) {
    await photos.settled(); // a photo taken a moment ago sends its preview first, like the others
    let sent = 0;
    /** @type {Unreachable[]} */
    const failed = [];
    const each = async (photo, kind) => {
      if (sent > 0 && sent % PHOTOS_BETWEEN_RECORDS === 0) await records();
      sent += 1;
      try {
        await whole(photo.photo_id, kind);
      } catch (problem) {
        // One photo that the server fails at does not hold up those behind it; it is tried again in the next run.
        if (!(problem instanceof Unreachable) || !problem.failed || failed.push(problem) >= MOST_FAILED) throw problem;
        log({ step: 'photo', photo_id: photo.photo_id, failed: true });
      }
    };
    for (const photo of await waiting()) if (photo.preview?.state === 'waiting') await each(photo, 'preview');
    for (const photo of originals ? await waiting() : []) {
      await each(photo, 'original');
      if (sent % PHOTOS_BETWEEN_RECORDS === 0) await receipts();
    }
    await receipts();
    if (failed.length) throw failed[0];
    return sent;
  }

  /** Photos the server does not hold yet: the newest inspection first, each in the order taken. */
  async function waiting() {
    const rows = (await photos.all()).filter((photo) => photo.state === 'waiting' && photo.original.state === 'waiting');
    return rows.sort((a, b) => (a.record_id === b.record_id ? 0 : a.record_id < b.record_id ? 1 : -1));
  }

  /** Sends one kind of one photo's bytes to the end, or throws Unreachable. */
  async function whole(photo_id, kind) {
    const blob = await files.blob(store.photoPath(photo_id, kind));
    const photo = await photos.row(photo_id);
    if (!photo || photo.state !== 'waiting') return;
    const mine = photo[kind];
    if (!blob || (mine.off === 0 && (await store.hash.sha256(await blob.arrayBuffer())) !== mine.sha256)) {
      return giveUp(photo_id, kind, blob
        ? 'The photo on this tablet is not the one that was taken: its bytes changed. Tell the office.'
        : 'The bytes of this photo are gone from the tablet. Tell the office.');
    }
    let at = await resumed(photo, kind);
    let failures = 0;
    while (at && at.off < mine.bytes) {
      const part = await blob.slice(at.off, Math.min(at.off + chunk, mine.bytes)).arrayBuffer();
      const began = store.clock.mono();
      try {
        const answer = await api.call('PATCH', at.url, {
          as: 'device', bytes: part, timeout: CHUNK_TIMEOUT_MS,
          headers: { ...TUS, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(at.off),
            'Upload-Checksum': `sha256 ${await store.hash.sha256Base64(part)}` },
        });
        if (answer.status === 204 || answer.status === 200) {
          at = await moved(photo_id, kind, at.url, Number(answer.headers.get('Upload-Offset')));
          failures = 0;
          if (store.clock.mono() - began < QUICK_MS) grew();
          continue;
        }
        if (answer.status === 413 && chunk <= SMALLEST) return giveUp(photo_id, kind, detail(answer, 'The office refuses photos of this size.'));
        log({ step: 'chunk', status: answer.status, bytes: part.byteLength });
        if ([403, 404, 410].includes(answer.status)) await moved(photo_id, kind, null, 0);
        if (answer.status >= 400 && ![403, 404, 409, 410, 413, 460].includes(answer.status)) {
          return giveUp(photo_id, kind, detail(answer, `The office refused this photo (${answer.status}).`));
        }
        shrank();
        if (++failures >= TRIES) throw new Unreachable(detail(answer, 'The office could not take a photo and will be asked again.'));
      } catch (problem) {
        if (!(problem instanceof Unreachable)) throw problem;
        shrank();
        if (++failures >= TRIES) throw problem;
        await api.sleep(problem.retryAfterMs ?? api.pause(failures));
      }
      // Whatever happened to the chunk, the server knows how far it came.
      at = await resumed(/** @type {any} */ (await photos.row(photo_id)), kind);
    }
    if (at && kind === 'preview') await photos.update(photo_id, (now) => ({ ...now, preview: now.preview && { ...now.preview, state: 'stored' } }));
  }

  /** Where the upload stands at the server; it is created when the server does not know it. Null: set aside. */
  async function resumed(photo, kind) {
    const mine = photo[kind];
    if (mine.url) {
      const answer = await api.call('HEAD', mine.url, { as: 'device', headers: TUS });
      const off = Number(answer.headers.get('Upload-Offset') ?? NaN);
      const length = Number(answer.headers.get('Upload-Length') ?? mine.bytes);
      if (answer.status < 300 && off >= 0 && length === mine.bytes) return moved(photo.photo_id, kind, mine.url, off);
    }
    const answer = await api.call('POST', '/files', {
      as: 'device',
      headers: { ...TUS, 'Upload-Length': String(mine.bytes), 'Upload-Metadata': metadata({
        photo_id: photo.photo_id, sha256: mine.sha256, kind }) },
    });
    if (answer.status === 201) {
      const url = answer.headers.get('Location');
      if (!url) throw new Unreachable('The office did not say where to send a photo.');
      return moved(photo.photo_id, kind, pathOf(url), Number(answer.headers.get('Upload-Offset') ?? 0));
    }
    if ([400, 413, 415, 422].includes(answer.status)) {
      await giveUp(photo.photo_id, kind, detail(answer, 'The office refused this photo.'));
      return null;
    }
    throw new Unreachable(detail(answer, 'The office could not take a photo and will be asked again.'));
  }

  /** @param {string} photo_id @param {'preview'|'original'} kind @param {string|null} url @param {number} off */
  async function moved(photo_id, kind, url, off) {
    if (!Number.isInteger(off) || off < 0) throw new Unreachable('The office gave no place to go on from.');
    await photos.update(photo_id, (now) => ({ ...now, [kind]: { ...now[kind], url, off } }));
    return url === null ? null : { url, off };
  }

  /** A preview is only a convenience; an original is set aside with its reason and stays on the tablet. */
  const giveUp = (photo_id, kind, why) => (kind === 'preview'
    ? photos.update(photo_id, (now) => ({ ...now, preview: null, no_preview: true }))
    : setAside(photo_id, why));

  const setAside = (photo_id, why) => photos.update(photo_id, (now) => ({ ...now, state: 'set_aside', why }));

  function grew() {
    successes += 1;
    if (successes % SUCCESSES_TO_GROW === 0) chunk = Math.min(LARGEST, chunk * 2);
  }

  function shrank() {
    successes = 0;
    chunk = Math.max(SMALLEST, Math.floor(chunk / 2));
  }

  /** Asks what the server holds of the photos it was sent, and frees those it holds durably. */
  async function receipts() {
    const open = (await photos.all()).filter((photo) =>
      photo.state === 'stored' || (photo.state === 'waiting' && photo.original.off === photo.bytes));
    for (let from = 0; from < open.length; from += IDS_AT_ONCE) {
      const some = open.slice(from, from + IDS_AT_ONCE);
      const answer = await api.get(`/photos/status?ids=${some.map((photo) => photo.photo_id).join(',')}`, 'device');
      if (answer.status !== 200) throw new Unreachable(detail(answer, 'The office could not say which photos it holds.'));
      const held = new Map((answer.body.photos ?? []).map((photo) => [photo.photo_id ?? photo.id, photo]));
      for (const photo of some) await received(photo, held.get(photo.photo_id));
    }
    for (const photo of await photos.all()) if (photo.state === 'durable') await photos.free(photo.photo_id);
  }

  /** @param {import('../store/photos.js').PhotoRow} photo @param {{state: string, sha256?: string}|undefined} at */
  async function received(photo, at) {
    if (!at) return;
    const same = !at.sha256 || at.sha256 === photo.sha256;
    if (same && (at.state === 'stored' || at.state === 'durable')) {
      if (photo.state === at.state) return;
      const state = /** @type {'stored'|'durable'} */ (at.state);
      await photos.update(photo.photo_id, (now) => ({ ...now, state, original: { ...now.original, state: 'stored' } }));
    } else if (photo.state === 'waiting' && (at.state === 'bad' || !same)) {
      const bad = (photo.original.bad ?? 0) + 1;
      log({ step: 'photo', photo_id: photo.photo_id, bad });
      await photos.update(photo.photo_id, (now) => ({ ...now, original: { ...now.original, bad, url: null, off: 0 } }));
      if (bad >= 2) await setAside(photo.photo_id, 'The photo arrived damaged twice. It is still on this tablet. Tell the office.');
    } else if (photo.state === 'waiting' || at.state === 'missing') {
      // Sent to the end and still not held: the server lost it, or has not finished; the next run asks or sends again.
      if (at.state === 'missing') await photos.update(photo.photo_id, again);
    }
  }

  return { upload, receipts };
}

/** @param {import('../store/photos.js').PhotoRow} now */
const again = (now) => ({ ...now, state: /** @type {const} */ ('waiting'),
  original: { ...now.original, url: null, off: 0, state: /** @type {const} */ ('waiting') } });

/** @param {Record<string, string>} members */
function metadata(members) {
  return Object.entries(members).map(([key, value]) => `${key} ${btoa(value)}`).join(',');
}

/** The path of an address that may be whole. @param {string} url */
function pathOf(url) {
  return url.startsWith('/') ? url : new URL(url).pathname;
}
