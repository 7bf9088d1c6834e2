/**
 * What the person must be able to see at any time: what waits, since when, what needs them, and whether the tablet's
 * storage can be trusted. Also the storage guard: whether capturing is allowed now, and if not, why.
 */

import { authorOf, contentOf, isOf } from './journal.js';

const MB = 1024 * 1024;
export const LEAST_FREE = 2048 * MB; // below this nothing new is captured: a full disk can take everything with it
const FULL_AT = 0.8; // of the quota: from here on the person is warned

/**
 * @typedef {{photo_id: string, record_id: string, shows: string, bytes: number, left: number, previewed: boolean}} Part
 *
 * @typedef {object} Status
 * @property {boolean} enrolled
 * @property {boolean} online the last attempt reached the office
 * @property {'offline'|'online'|'sending'|'needs_you'} state
 * @property {string|null} reason a sentence for the person, when state is needs_you or offline
 * @property {string|null} reason_kind 'sign_in', 'revoked', 'enrol_again', 'set_aside', 'conflict', 'storage', ...
 * @property {number} waiting ops of this person without a final answer
 * @property {number|null} waiting_since milliseconds since 1970
 * @property {number} photos_waiting
 * @property {number} bytes_waiting
 * @property {Part[]} unsent_photos one by one, in the order taken
 * @property {{changes: [number, number], photos: [number, number], bytes: [number, number]}} progress sent and all, of what was
 *   made since everything was last with the office
 * @property {boolean} originals_held the originals wait for another line, or to be asked for
 * @property {{items: number, bytes: number}} others what other people of this tablet have not sent, as figures alone
 * @property {(import('./carried.js').Carried & {photos_sent: number})[]} carried files of other tablets that are sent from here
 * @property {number|null} last_full_sync milliseconds since 1970
 * @property {{op_id: string, record_id: string, kind: string, status: string, reason: string, content: any}[]} set_aside
 * @property {any[]} photos_set_aside
 * @property {any[]} conflicts
 * @property {boolean} persisted the browser promised not to throw the storage away
 * @property {number|null} quota_used 0 to 1
 * @property {number|null} quota_free bytes
 * @property {string|null} storage_warning
 * @property {boolean} may_capture
 * @property {string|null} capture_refusal a sentence, when may_capture is false
 * @property {number|null} clock_offset_ms server time less tablet time
 * @property {{id: string, name: string, roles: string[]}|null} person
 * @property {string|null} loss a sentence, when this tablet held more at its last run than it does now
 * @property {{device_id: string, waiting: number, photos: number, bytes: number}|null} lost what that was, for the office
 */

/**
 * @param {{outbox: import('./database.js').Database, replica: import('./database.js').Database,
 *          bus: import('./bus.js').Bus, storage?: any, marker?: {get: () => Promise<any>, set: (value: any) => Promise<void>}}} parts
 *   storage: navigator.storage, or null where the browser has none
 */
export function makeStatus({ outbox, replica, bus, storage = globalThis.navigator?.storage ?? null, marker }) {
  /** Asks the browser to keep the storage; call it after a press, when the answer is likelier to be yes. */
  async function protect() {
    const granted = Boolean(await storage?.persist?.().catch(() => false));
    bus.say('storage');
    return granted;
  }

  /** @returns {Promise<{persisted: boolean, usage: number|null, quota: number|null}>} */
  async function measured() {
    const persisted = Boolean(await storage?.persisted?.().catch(() => false));
    const { usage = null, quota = null } = (await storage?.estimate?.().catch(() => null)) ?? {};
    return { persisted, usage, quota };
  }

  /** @returns {Promise<Status>} */
  async function status() {
    // All at once: on a slow tablet each wait for an answer is a wait for the page's next free moment.
    const [[head, sync, clock, allPhotos, allRefused, oldest, unsentOps, files], [conflicts, reference], storage, marked] = await Promise.all([
      outbox.read(['meta', 'photos', 'results', 'ops'], async (tx) => {
        const meta = tx.objectStore('meta');
        const ops = tx.objectStore('ops');
        const byStatus = (word) => tx.objectStore('results').index('status').getAll(word);
        const oldestOf = (device) => device && ops.get([device.device_id, device.acknowledged + 1]);
        // Whose ops they are is read only where several people share the tablet.
        const sharedOf = (device) => (device?.shared
          ? ops.getAll(IDBKeyRange.bound([device.device_id, device.acknowledged + 1], [device.device_id, Infinity])) : null);
        const withOp = async (result) => [result, await ops.index('op_id').get(result.op_id)];
        const device = meta.get('device');
        return Promise.all([
          device, meta.get('sync'), meta.get('clock'), tx.objectStore('photos').getAll(),
          Promise.all([byStatus('quarantined'), byStatus('raw')]).then((results) => Promise.all(results.flat().map(withOp))),
          device.then(oldestOf), device.then(sharedOf), meta.get('carried'),
        ]);
      }),
      replica.read(['conflicts', 'reference'], (tx) => Promise.all([
        tx.objectStore('conflicts').getAll(), tx.objectStore('reference').get('reference'),
      ])),
      measured(),
      marker?.get().catch(() => null),
    ]);
    const isMine = (author) => isOf(head, author);
    const photos = allPhotos.filter((photo) => isMine(photo.user_id));
    const refused = allRefused.filter(([, op]) => op && isMine(authorOf(op)));
    const inAll = head ? head.last_seq - head.acknowledged : 0;
    const mine = unsentOps?.filter((op) => isMine(authorOf(op)));
    const waiting = mine ? mine.length : inAll;
    const first = mine ? mine[0] : oldest;
    const isWaiting = (photo) => photo.state === 'waiting';
    const unsent = photos.filter(isWaiting);
    const bytes_waiting = bytesOf(unsent);
    const foreign = allPhotos.filter((photo) => isWaiting(photo) && !photo.carried && !isMine(photo.user_id));
    const since = [first?.made_at, ...unsent.map((photo) => photo.made_at)].filter((at) => at !== undefined);
    const open = conflicts.filter((conflict) => conflict.state !== 'resolved');
    const fresh = photos.filter((photo) => isWaiting(photo) || photo.made_at > (sync?.last_full_sync ?? 0));
    const all_bytes = fresh.reduce((sum, { original, preview }) => sum + original.bytes + (preview?.bytes ?? 0), 0);
    const all_changes = mine || !head ? waiting : head.last_seq - (sync?.full_of === head.device_id ? sync.full_seq : 0);
    const set_aside = refused.map(([result, op]) => ({
      op_id: op.op_id, record_id: op.record_id, kind: op.kind, status: result.status, reason: result.reason ?? '', content: contentOf(op),
    }));
    const guard = guarded(storage, reference);
    const attention = needs(sync, set_aside, open);
    return {
      enrolled: Boolean(head),
      online: Boolean(sync?.online),
      state: attention.reason_kind ? 'needs_you' : sync?.running ? 'sending' : sync?.online ? 'online' : 'offline',
      ...attention,
      waiting,
      waiting_since: since.length ? Math.min(...since) : null,
      photos_waiting: unsent.length,
      bytes_waiting,
      originals_held: Boolean(sync?.held),
      unsent_photos: unsent.sort((a, b) => a.made_at - b.made_at).map(({ photo_id, record_id, row, original, preview }) => ({
        photo_id, record_id, shows: row?.shows ?? '', bytes: original.bytes, left: left(original), previewed: preview?.state === 'stored',
      })),
      progress: {
        changes: [all_changes - waiting, all_changes],
        photos: [fresh.length - unsent.length, fresh.length],
        bytes: [all_bytes - bytes_waiting, all_bytes],
      },
      others: { items: inAll - waiting + foreign.length, bytes: bytesOf(foreign) },
      carried: (files ?? []).map((file) => ({
        ...file, photos_sent: allPhotos.filter((photo) => photo.carried === file.id && !isWaiting(photo)).length,
      })),
      last_full_sync: sync?.last_full_sync ?? null,
      set_aside,
      photos_set_aside: photos.filter((photo) => photo.state === 'set_aside'),
      conflicts: open,
      ...guard,
      clock_offset_ms: clock?.offset_ms ?? null,
      person: head?.person ?? null,
      ...lost(head, marked),
    };
  }

  /** A second marker outside the database tells when the database came back empty. */
  function lost(head, last) {
    if (!last || (head && (head.device_id === last.device_id || head.former.some((old) => old.device_id === last.device_id)))) return { loss: null, lost: null };
    const loss = `This tablet's storage is empty, but at its last run it held work of its own (${last.waiting} not sent${last.photos ? `, ${count(last.photos, 'photo', 'photos')} among it` : ''}). ` +
      'The browser removed it. Tell the office, which knows what arrived, and enrol the tablet again.';
    return { loss, lost: { device_id: last.device_id, waiting: last.waiting, photos: last.photos ?? 0, bytes: last.bytes ?? 0 } };
  }

  /** Notes what is here, for the next start. */
  async function mark() {
    const [head, unsent] = await outbox.read(['meta', 'photos'], (tx) => Promise.all([
      tx.objectStore('meta').get('device'), tx.objectStore('photos').index('state').getAll('waiting'),
    ]));
    if (!head) return;
    const held = { device_id: head.device_id, waiting: head.last_seq - head.acknowledged, photos: unsent.length, bytes: bytesOf(unsent) };
    await marker?.set(held).catch(() => undefined);
  }

  /** Why nothing new may be recorded now, as a sentence; null when it may. @returns {Promise<string|null>} */
  async function refusal() {
    const reference = await replica.read(['reference'], (tx) => tx.objectStore('reference').get('reference'));
    return guarded(await measured(), reference).capture_refusal;
  }

  return {
    status,
    refusal,
    protect,
    mark,
    /** @param {() => void} callback called after every change that status() may show @returns {() => void} */
    onStatus: (callback) => bus.listen(() => callback()),
  };
}

/** @typedef {ReturnType<typeof makeStatus>} StatusOf */

/** What is still to go of some photos. @param {import('./photos.js').PhotoRow[]} photos */
const bytesOf = (photos) => photos.reduce((sum, { original, preview }) => sum + left(original) + (preview ? left(preview) : 0), 0);

/** @param {import('./photos.js').Upload} upload */
const left = (upload) => (upload.state === 'stored' ? 0 : upload.bytes - upload.off);

function needs(sync, set_aside, conflicts) {
  if (sync?.needs) return { reason_kind: sync.needs, reason: sync.reason };
  if (set_aside.length) {
    return { reason_kind: 'set_aside', reason: `${count(set_aside.length, 'entry is', 'entries are')} set aside. The office holds the text and must look at it.` };
  }
  if (conflicts.length) {
    return { reason_kind: 'conflict', reason: `${count(conflicts.length, 'value differs', 'values differ')} from another tablet. Both are kept.` };
  }
  return { reason_kind: null, reason: sync?.online === false ? (sync.reason ?? null) : null };
}

/** @param {{persisted: boolean, usage: number|null, quota: number|null}} at @param {any} reference */
function guarded({ persisted, usage, quota }, reference) {
  const quota_used = usage !== null && quota ? usage / quota : null;
  const quota_free = usage !== null && quota ? quota - usage : null;
  const village = reference?.village ?? {};
  const unprotected_allowed = Boolean(village.allow_unprotected_storage ?? village.settings?.allow_unprotected_storage ?? false);
  /** @type {string|null} */
  let storage_warning = null;
  if (quota_used !== null && quota_used >= FULL_AT) {
    storage_warning = `Storage is ${Math.round(quota_used * 100)} % full. Send what waits, or free space on the tablet.`;
  } else if (!persisted) {
    storage_warning = 'Storage is not protected: the browser may delete unsent work when the tablet is full.';
  }
  /** @type {string|null} */
  let capture_refusal = null;
  if (!persisted && !unprotected_allowed) {
    capture_refusal = 'New work cannot be kept safely: the browser has not promised to keep its storage. ' +
      'Install the app on the home screen and allow storage, then open it from there.';
  } else if (quota_free !== null && quota_free < LEAST_FREE && /** @type {number} */ (quota) > 2 * LEAST_FREE) {
    // A browser with a small quota by nature is judged by the share alone.
    capture_refusal = 'The tablet has less than 2 GB free, so nothing new is recorded. Free some space, then go on.';
  } else if (quota_used !== null && quota_used >= 0.97) {
    capture_refusal = 'The storage is full, so nothing new is recorded. Send what waits or free some space, then go on.';
  }
  return { persisted, quota_used, quota_free, storage_warning, may_capture: capture_refusal === null, capture_refusal };
}

const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;
