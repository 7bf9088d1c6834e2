/** The server's copy on this tablet, as the sync engine writes it: rows and cursor stand or fall together. */

/**
 * @param {{replica: import('./database.js').Database, queue: import('./queue.js').Queue, bus: import('./bus.js').Bus}} parts
 */
export function makeReplica({ replica, queue, bus }) {
  const STORES = ['records', 'assignments', 'conflicts', 'meta'];

  /** Where pulling goes on. @returns {Promise<{cursor: string, seen: number}>} */
  async function position() {
    const [cursor, seen] = await replica.read(['meta'], async (tx) => [
      await tx.objectStore('meta').get('cursor'),
      await tx.objectStore('meta').get('seen'),
    ]);
    return { cursor: cursor ?? '', seen: seen ?? 0 };
  }

  /**
   * Takes one page of the feed in.
   * @param {{cursor: string, more: boolean, changes: any[], conflicts?: any[], forget?: string[], checkpoint?: {chg: number}}} page
   * @param {string} from the cursor that was asked with: another tab may have gone on since
   */
  async function take(page, from) {
    let reached = 0;
    const own = await queue.laidOver();
    await replica.write(STORES, async (tx) => {
      const meta = tx.objectStore('meta');
      if (((await meta.get('cursor')) ?? '') !== from) return;
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
        await tx.objectStore('assignments').delete(id);
      }
      await meta.put(later, 'forget_later');
      // Rows of others are left out of the feed, so the last page's mark reaches further than its last row.
      if (!page.more) reached = Math.max(reached, page.checkpoint?.chg ?? 0);
      await meta.put(page.cursor, 'cursor');
      await meta.put(reached, 'seen');
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
  }

  /** Forgets what was pulled; forms and packs stay. */
  async function reset() {
    await replica.write([...STORES, 'reference'], async (tx) => {
      for (const store of STORES) await tx.objectStore(store).clear();
      await tx.objectStore('reference').delete('etag');
      await tx.objectStore('meta').put(true, 'born');
    });
    await queue.unsettle();
    bus.say('pulled');
  }

  /** A replica that was just made has no rows, so own ops must be laid over it again. */
  async function born() {
    const known = await replica.read(['meta'], (tx) => tx.objectStore('meta').get('born'));
    if (known) return;
    await queue.unsettle();
    await replica.write(['meta'], (tx) => tx.objectStore('meta').put(true, 'born'));
  }

  /**
   * Forms and packs of earlier releases stay: an inspection keeps those it was begun with. They stand by themselves;
   * what every screen reads names them only, or each start would read all rules and forms several times over.
   * @param {any} reference @param {string} etag
   */
  async function takeReference({ packs = {}, protocols = [], ...reference }, etag = '') {
    await replica.write(['reference'], async (tx) => {
      const store = tx.objectStore('reference');
      const named = protocols.map(({ protocol, version, title }) => ({ protocol, version, title }));
      await store.put({ ...reference, protocols: named }, 'reference');
      await store.put(etag, 'etag');
      for (const form of protocols) await store.put(form, `protocol:${form.protocol}:${form.version}`);
      for (const [hash, pack] of Object.entries(packs)) await store.put(pack, `pack:${hash}`);
    });
    bus.say('reference');
  }

  return {
    position, take, reset, born, takeReference,
    /** The mark of the reference data held, empty if there is none. */
    etag: async () => (await replica.read(['reference'], (tx) => tx.objectStore('reference').get('etag'))) ?? '',
  };
}

/** @typedef {ReturnType<typeof makeReplica>} Replica */
