/** Reads records as the screen shows them, from both databases. Writes nothing. */

import { canonical, sha256 } from './hashes.js';
import { authorOf, contentOf, isOf } from './journal.js';
import { hides, overlaid } from './overlay.js';
import { revisionOf } from './answers.js';
import { epochOf } from './replica.js';
import { rowOf } from './rows.js';

/**
 * @param {{outbox: import('./database.js').Database, replica: import('./database.js').Database}} databases
 */
export function makeRecords({ outbox, replica }) {
  /**
   * Where each enrolment of this storage stands: an op is laid over the server's copy until that copy contains it,
   * and it waits until it has a final answer.
   * @param {import('./journal.js').Head|undefined} head
   */
  function standing(head) {
    const known = new Map();
    for (const old of head?.former ?? []) known.set(old.device_id, { from: old.settled, to: old.acknowledged, waits: Infinity });
    if (head) known.set(head.device_id, { from: head.settled, to: Infinity, waits: head.acknowledged });
    return {
      /** @param {import('./journal.js').Op} op */
      laid(op) {
        const at = known.get(op.device_id);
        return Boolean(at) && op.seq > at.from && op.seq <= at.to && isOf(head, authorOf(op));
      },
      /** @param {import('./journal.js').Op} op */
      waits: (op) => op.device_id === head?.device_id && op.seq > head.acknowledged && isOf(head, authorOf(op)),
    };
  }

  /**
   * One record with its drafts, or null when this tablet has never heard of it.
   * @param {string} id
   */
  async function record(id) {
    // The outbox first: an op settled between the two reads is then shown twice over, never missing.
    const [head, ops, drafts, photos] = await outbox.read(['meta', 'ops', 'drafts', 'photos'], (tx) => Promise.all([
      tx.objectStore('meta').get('device'),
      tx.objectStore('ops').index('record_id').getAll(id),
      tx.objectStore('drafts').index('record_id').getAll(id),
      tx.objectStore('photos').index('record_id').getAll(id),
    ]));
    const [pulled, conflicts, of] = await replica.read(['records', 'conflicts', 'meta'], (tx) => Promise.all([
      tx.objectStore('records').get(id),
      tx.objectStore('conflicts').index('record_id').getAll(id),
      tx.objectStore('meta').get('of'),
    ]));
    const at = standing(head);
    const laid = inOrder(ops.filter(at.laid), head).map(read);
    const shown = overlaid(pulled, laid);
    if (!shown) return null;
    return {
      id,
      ...shown,
      rev: pulled?.rev ?? 0,
      // What whoever takes the record away has seen: a revision counts within one epoch of the server's log only.
      seen: { rev: hides(pulled, laid) ? 0 : pulled?.rev ?? 0, epoch: epochOf(of) },
      drafts,
      conflicts: conflicts.filter((conflict) => conflict.state !== 'resolved'),
      waiting: ops.filter(at.waits).length + photos.filter((photo) => photo.state === 'waiting' && isOf(head, photo.user_id)).length,
    };
  }

  /**
   * A line for each record this tablet shows, the deleted ones left out, with how much of it waits.
   * @returns {Promise<(import('./rows.js').Row & {waiting: number})[]>}
   */
  async function rows() {
    const [head, ops, photos] = await outbox.read(['meta', 'ops', 'photos'], async (tx) => {
      const unsettled = ({ device_id, settled }) =>
        tx.objectStore('ops').getAll(IDBKeyRange.bound([device_id, settled + 1], [device_id, Infinity]));
      const device = tx.objectStore('meta').get('device');
      const rows = device.then((head) => Promise.all(head ? [...head.former, head].map(unsettled) : []));
      return Promise.all([device, rows.then((all) => all.flat()), tx.objectStore('photos').index('state').getAll('waiting')]);
    });
    const at = standing(head);
    const own = new Map();
    for (const op of ops) {
      if (!at.laid(op)) continue;
      if (!own.has(op.record_id)) own.set(op.record_id, []);
      own.get(op.record_id).push(op);
    }
    const [pulled, under] = await replica.read(['records', 'rows'], (tx) => Promise.all([
      tx.objectStore('rows').getAll(),
      Promise.all([...own.keys()].map((id) => tx.objectStore('records').get(id))),
    ]));
    const shown = new Map(pulled.map((row) => [row.id, row]));
    // Only what this tablet has changed and not yet got back is read whole, to lay the changes over it.
    [...own].forEach(([id, laid], n) => {
      const one = overlaid(under[n], inOrder(laid, head).map(read));
      if (one) shown.set(id, rowOf(id, one.doc, one.deleted));
    });
    const waiting = new Map();
    const more = (id, n) => waiting.set(id, (waiting.get(id) ?? 0) + n);
    for (const [id, laid] of own) more(id, laid.filter(at.waits).length);
    for (const photo of photos) if (isOf(head, photo.user_id)) more(photo.record_id, 1);
    return [...shown.values()].filter((row) => !row.deleted).map((row) => ({ ...row, waiting: waiting.get(row.id) ?? 0 }));
  }

  return { record, rows };
}

/** @typedef {NonNullable<Awaited<ReturnType<ReturnType<typeof makeRecords>['record']>>>} Shown */

/** @param {import('./journal.js').Op} op */
const read = (op) => ({ op_id: op.op_id, content: contentOf(op) });

/**
 * Ops in the order made, each once: earlier enrolments first, then by number. One that got another number after a
 * restore keeps its place.
 * @param {import('./journal.js').Op[]} ops @param {import('./journal.js').Head|undefined} head
 */
function inOrder(ops, head) {
  const enrolments = [...(head?.former ?? []).map((old) => old.device_id), head?.device_id];
  const place = (op) => enrolments.indexOf(op.device_id);
  const sorted = [...ops].sort((a, b) => place(a) - place(b) || a.seq - b.seq);
  return [...new Map(sorted.map((op) => [op.op_id, op])).values()];
}

/** The hash a signature and a submission are bound to. @param {any} doc */
export function revisionHash(doc) {
  return sha256(canonical(revisionOf(doc)));
}
