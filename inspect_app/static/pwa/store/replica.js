/** The server's copy on this tablet, as the sync engine writes it: rows and cursor stand or fall together. */

import { rowOf } from './rows.js';

/**
 * @param {{replica: import('./database.js').Database, queue: import('./queue.js').Queue, bus: import('./bus.js').Bus}} parts
 */
export function makeReplica({ replica, queue, bus }) {
  const STORES = ['records', 'rows', 'assignments', 'conflicts', 'meta'];

  /**
   * Where pulling goes on, and whose copy of which log this is.
   * @returns {Promise<{cursor: string, seen: number, of: string}>}
   */
  async function position() {
    const [cursor, seen, of] = await replica.read(['meta'], (tx) => Promise.all(['cursor', 'seen', 'of'].map((key) => tx.objectStore('meta').get(key))));
    return { cursor: cursor ?? '', seen: seen ?? 0, of: of ?? '' };
  }

  /**
   * Takes one page of the feed in.
   * @param {{cursor: string, more: boolean, changes: any[], conflicts?: any[], forget?: string[], checkpoint?: {chg: number}}} page
   * @param {{cursor: string, of: string}} from where it was asked from: another tab may have gone on since, and
   *   another person may have signed in
   */
  async function take(page, from) {
    let reached = 0;
    const own = await queue.laidOver();
    await replica.write(STORES, async (tx) => {
      const meta = tx.objectStore('meta');
      if (((await meta.get('cursor')) ?? '') !== from.cursor || ((await meta.get('of')) ?? '') !== from.of) return;
      reached = (await meta.get('seen')) ?? 0;
      for (const change of page.changes) {
        reached = Math.max(reached, change.chg ?? 0);
        await takeRow(tx, change);
      }
      for (const conflict of page.conflicts ?? []) await tx.objectStore('conflicts').put(conflict);
      // A record that left this person's share goes, but not under work of this tablet that is not in it yet.
      const later = [];
      for (const id of new Set([...((await meta.get('forget_later')) ?? []), ...(page.forget ?? [])])) {
        if (own.has(id)) {
          later.push(id);
          continue;
        }
        await tx.objectStore('records').delete(id);
        await tx.objectStore('rows').delete(id);
        await tx.objectStore('assignments').delete(id);
      }
      await meta.put(later, 'forget_later');
      // Rows of others are left out of the feed, so the last page's mark reaches further than its last row.
      if (!page.more) reached = Math.max(reached, page.checkpoint?.chg ?? 0);
      await meta.put(page.cursor, 'cursor');
      await meta.put(reached, 'seen');
      // Until a first download is whole, no list is made of it; how far it is stands in the same transaction.
      if (page.more && (from.cursor === '' || (await meta.get('first')))) await meta.put({ done: reached, of: page.checkpoint?.chg ?? 0 }, 'first');
      else await meta.delete('first');
    });
    // Only now: an op is taken off the screen's overlay after the copy that contains it is on disk.
    if (reached) await queue.settle(reached);
    bus.say('pulled');
  }

  async function takeRow(tx, change) {
    if (change.entity === 'assignment') {
      const store = tx.objectStore('assignments');
      if (change.deleted) await store.delete(change.id);
      else await store.put({ ...change.doc, id: change.id, chg: change.chg });
      return;
    }
    if (change.entity !== 'inspection') return; // something a newer server tells: not for this release
    const store = tx.objectStore('records');
    const here = await store.get(change.id);
    if (here && here.chg > change.chg) return;
    await store.put({ id: change.id, rev: change.rev, chg: change.chg, doc: change.doc, deleted: Boolean(change.deleted) });
    await tx.objectStore('rows').put(rowOf(change.id, change.doc, Boolean(change.deleted)));
  }

  /** Forgets what was pulled; forms and packs stay. @param {string} [epoch] of the log that is pulled from now on */
  async function reset(epoch) {
    const head = await queue.device();
    await replica.write([...STORES, 'reference'], async (tx) => {
      for (const store of STORES) await tx.objectStore(store).clear();
      await tx.objectStore('reference').delete('etag');
      await tx.objectStore('meta').put(owner(head && { ...head, epoch: epoch ?? head.epoch }), 'of');
    });
    await queue.unsettle();
    bus.say('pulled');
  }

  /** A replica that was just made, or is of another log, has no rows that count: own ops are laid over it again. */
  async function born() {
    const [head, { of }] = await Promise.all([queue.device(), position()]);
    if (of !== owner(head)) await reset();
  }

  /** Another person has signed in: their own copy is opened, and own ops are laid over it as far as it lacks them. */
  async function turn() {
    await replica.close();
    await born();
    await queue.unsettle();
    await queue.settle((await position()).seen);
  }

  /**
   * Forms and packs of earlier releases stay: an inspection keeps those it was begun with. They stand by themselves;
   * what every screen reads names them only, or each start would read all rules and forms several times over.
   * @param {any} reference @param {string} etag @param {string} of whose copy it was asked for
   */
  async function takeReference({ packs = {}, protocols = [], former_protocols = [], translations = {}, ...reference }, etag, of) {
    await replica.write(['meta', 'reference'], async (tx) => {
      if (((await tx.objectStore('meta').get('of')) ?? '') !== of) return;
      const store = tx.objectStore('reference');
      const named = protocols.map(({ protocol, version, title }) => ({ protocol, version, title }));
      await store.put({ ...reference, protocols: named }, 'reference');
      await store.put(etag, 'etag');
      await store.put(translations, 'translations');
      for (const form of [...protocols, ...former_protocols]) await store.put(form, `protocol:${form.protocol}:${form.version}`);
      for (const [hash, pack] of Object.entries(packs)) await store.put(pack, `pack:${hash}`);
    });
    bus.say('reference');
  }

  return {
    position, take, reset, born, turn, takeReference,
    /** The mark of the reference data held, empty if there is none. */
    etag: async () => (await replica.read(['reference'], (tx) => tx.objectStore('reference').get('etag'))) ?? '',
  };
}

/** Whose copy of which log. @param {import('./journal.js').Head|undefined} head */
const owner = (head) => (head?.person ? [head.person.id, head.village, head.epoch].join(' ') : '');

/** The epoch of the log that a copy is of. @param {string|undefined} of @returns {string|null} */
export const epochOf = (of) => of?.split(' ')[2] ?? null;

/** @typedef {ReturnType<typeof makeReplica>} Replica */
