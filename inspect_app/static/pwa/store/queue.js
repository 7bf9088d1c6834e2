/** The outbox as the sync engine sees it: what waits, what was answered, and what a new enrolment means for it. */

export const RETENTION_MS = 30 * 24 * 3600 * 1000;

/**
 * @param {{outbox: import('./database.js').Database, journal: import('./journal.js').Journal,
 *          bus: import('./bus.js').Bus, clock: import('./journal.js').Clock}} parts
 */
export function makeQueue({ outbox, journal, bus, clock }) {
  const meta = (key) => outbox.read(['meta'], (tx) => tx.objectStore('meta').get(key));

  /** The final answer to one op of the present enrolment, as it was kept. @param {number} seq */
  async function answerTo(seq) {
    return outbox.read(['meta', 'ops', 'results'], async (tx) => {
      const head = await tx.objectStore('meta').get('device');
      const op = await tx.objectStore('ops').get([head.device_id, seq]);
      return op && tx.objectStore('results').get(op.op_id);
    });
  }

  /** Changes the head as it is on disk now. @param {(head: import('./journal.js').Head) => object|null} change @param {string[]} [stores] @param {(tx: any) => Promise<void>} [also] */
  async function changeHead(change, stores = [], also) {
    await outbox.write(['meta', ...stores], async (tx) => {
      const head = await tx.objectStore('meta').get('device');
      const members = head && change(head);
      if (members) await tx.objectStore('meta').put({ ...head, ...members }, 'device');
      await also?.(tx);
    });
  }

  /**
   * The next ops to send, in order: as many as fit, and at least one.
   * @param {number} most
   * @param {number} bytes
   * @returns {Promise<import('./journal.js').Op[]>}
   */
  async function unsent(most, bytes) {
    const ops = await outbox.read(['meta', 'ops'], async (tx) => {
      const head = await tx.objectStore('meta').get('device');
      if (!head) return [];
      const range = IDBKeyRange.bound([head.device_id, head.acknowledged + 1], [head.device_id, Infinity]);
      return tx.objectStore('ops').getAll(range, most);
    });
    let sum = 0;
    return ops.filter((op, i) => {
      sum += op.bytes + 1;
      return i === 0 || sum <= bytes;
    });
  }

  /** How much this tablet has not sent, as it reports in every request. @returns {Promise<{ops: number, bytes: number}>} */
  async function waiting() {
    return outbox.read(['meta', 'photos', 'ops'], async (tx) => {
      const head = await tx.objectStore('meta').get('device');
      if (!head) return { ops: 0, bytes: 0 };
      let bytes = 0;
      const range = IDBKeyRange.bound([head.device_id, head.acknowledged + 1], [head.device_id, Infinity]);
      for (const op of await tx.objectStore('ops').getAll(range)) bytes += op.bytes;
      for (const photo of await tx.objectStore('photos').index('state').getAll('waiting')) bytes += photo.bytes - photo.original.off;
      return { ops: head.last_seq - head.acknowledged, bytes };
    });
  }

  /**
   * Keeps final answers. They count only in order and for the op that was asked about, so an answer to something else
   * (or to an older enrolment) removes nothing from the queue.
   * @param {string} device_id
   * @param {{op_id: string, seq: number, status: string, reason?: string}[]} results
   */
  async function acknowledge(device_id, results) {
    await outbox.write(['meta', 'ops', 'results'], async (tx) => {
      const store = tx.objectStore('meta');
      const head = await store.get('device');
      if (head.device_id !== device_id) return;
      let { acknowledged } = head;
      for (const result of results) {
        if (result.seq <= acknowledged) continue;
        if (result.seq !== acknowledged + 1) break;
        const op = await tx.objectStore('ops').get([device_id, result.seq]);
        if (op?.op_id !== result.op_id) break;
        await tx.objectStore('results').put(result);
        acknowledged = result.seq;
      }
      await store.put({ ...head, acknowledged }, 'device');
    });
    bus.say('answered');
  }

  /** Moves the mark up to which own ops are in what was pulled. @param {number} seen change number the replica has reached */
  async function settle(seen) {
    await outbox.write(['meta', 'ops', 'results'], async (tx) => {
      const store = tx.objectStore('meta');
      const head = await store.get('device');
      if (!head) return;
      /** @param {{device_id: string, settled: number, acknowledged: number}} at */
      const reached = async (at) => {
        let settled = at.settled;
        while (settled < at.acknowledged) {
          const op = await tx.objectStore('ops').get([at.device_id, settled + 1]);
          const result = op && (await tx.objectStore('results').get(op.op_id));
          if (op && !(result && (result.chg === undefined || result.chg === null || result.chg <= seen))) break;
          settled += 1;
        }
        return { ...at, settled };
      };
      const former = [];
      for (const old of head.former) former.push(await reached(old));
      await store.put({ ...(await reached(head)), former }, 'device');
    });
  }

  /** The records that have own ops which what was pulled does not contain yet. @returns {Promise<Set<string>>} */
  async function laidOver() {
    return outbox.read(['meta', 'ops'], async (tx) => {
      const head = await tx.objectStore('meta').get('device');
      const ids = new Set();
      for (const at of head ? [...head.former, head] : []) {
        const to = at === head ? Infinity : at.acknowledged;
        const range = IDBKeyRange.bound([at.device_id, at.settled + 1], [at.device_id, Math.max(to, at.settled + 1)]);
        for (const op of await tx.objectStore('ops').getAll(range)) if (op.seq <= to) ids.add(op.record_id);
      }
      return ids;
    });
  }

  /** The replica starts anew: every op that is still here is laid over it until it has been pulled again. */
  const unsettle = () => changeHead((head) => ({ settled: 0, former: head.former.map((old) => ({ ...old, settled: 0 })) }));

  /**
   * The server does not have what it had (restored from a backup): ops from this number on are sent again.
   * @param {number} seq the first one it lacks
   */
  async function resendFrom(seq) {
    await changeHead((head) => (seq <= head.acknowledged ? { acknowledged: seq - 1, settled: Math.min(head.settled, seq - 1) } : null));
    bus.say('answered');
  }

  /** Every op that is still here, once each and in the order made, earlier enrolments included. */
  const retained = () => outbox.read(['meta', 'ops'], async (tx) => madeOnce(tx, await tx.objectStore('meta').get('device')));

  /** @param {any} tx @param {import('./journal.js').Head|undefined} head @returns {Promise<import('./journal.js').Op[]>} */
  async function madeOnce(tx, head) {
    /** @type {Map<string, import('./journal.js').Op>} */
    const made = new Map();
    for (const { device_id } of head ? [...head.former, head] : []) {
      // A row of a later enrolment takes the place of the earlier one, and its place in the order.
      for (const op of await tx.objectStore('ops').getAll(IDBKeyRange.bound([device_id, 0], [device_id, Infinity]))) made.set(op.op_id, op);
    }
    return [...made.values()];
  }

  /**
   * The server was restored and lacks some of what it confirmed. From the first of the present enrolment on, ops are
   * sent again under their numbers; those of earlier enrolments get new numbers behind the last.
   * @param {Set<string>} known ids of the ops that the server has
   */
  async function offerAgain(known) {
    for (;;) {
      const { before, ops } = await outbox.read(['meta', 'ops'], async (tx) => {
        const head = await tx.objectStore('meta').get('device');
        return { before: head, ops: (await madeOnce(tx, head)).filter((op) => !known.has(op.op_id)) };
      });
      const again = ops.filter((op) => op.device_id !== before.device_id);
      const first = Math.min(...ops.filter((op) => op.device_id === before.device_id).map((op) => op.seq), Infinity);
      const fresh = await renumbered(again, before, before.last_seq, before.last_hash, false);
      const done = await outbox.write(['meta', 'ops'], async (tx) => {
        const head = await tx.objectStore('meta').get('device');
        if (head.device_id !== before.device_id || head.last_seq !== before.last_seq) return false;
        for (const op of fresh) await tx.objectStore('ops').add(op);
        const last = fresh.at(-1) ?? { seq: head.last_seq, hash: head.last_hash };
        await tx.objectStore('meta').put({
          ...head, last_seq: last.seq, last_hash: last.hash,
          acknowledged: Math.min(head.acknowledged, first - 1), settled: Math.min(head.settled, first - 1),
        }, 'device');
        return true;
      });
      if (done) break;
    }
    bus.say('answered');
  }

  /** The same ops under the numbers, and with the signature, of an enrolment. @param {boolean} prepared its key is not the device's yet */
  async function renumbered(old, head, seq, prev, prepared) {
    const ops = [];
    for (const op of old) {
      const { content } = JSON.parse(op.envelope.body);
      const sealed = await journal.sealed({ head, seq: seq + ops.length + 1, prev, op_id: op.op_id, content }, prepared);
      prev = sealed.hash;
      ops.push({ ...op, ...sealed });
    }
    return ops;
  }

  /**
   * Makes the storage a newly enrolled device. What was not answered gets new numbers and signatures; its id and
   * content stay, so that the server knows it if it had it after all. The old rows stay as they are.
   * @param {{device_id: string, kid: string, epoch: string, village: string, person: any}} device
   * @param {import('./keys.js').Keys} keys
   * @param {(tx: any, from: string|null, to: string|null) => Promise<void>} changedHands when it is another person's now
   */
  async function adopt(device, keys, changedHands) {
    for (;;) {
      const { before, waiting } = await outbox.read(['meta', 'ops'], async (tx) => {
        const head = await tx.objectStore('meta').get('device');
        if (!head) return { before: head, waiting: [] };
        // A server of another epoch may lack what it confirmed to any enrolment: all that is still here is offered to it
        // again, in the order made, since what came later builds on what came first.
        if (head.epoch !== device.epoch) return { before: head, waiting: await madeOnce(tx, head) };
        const range = IDBKeyRange.bound([head.device_id, head.acknowledged + 1], [head.device_id, Infinity]);
        return { before: head, waiting: await tx.objectStore('ops').getAll(range) };
      });
      const all = before && before.epoch !== device.epoch;
      const ops = await renumbered(waiting, device, 0, '', true);
      const done = await outbox.write(['meta', 'ops', 'keys', 'drafts'], async (tx) => {
        const now = await tx.objectStore('meta').get('device');
        if (now?.device_id === device.device_id) return true; // the same answer, received twice
        if (now?.device_id !== before?.device_id || now?.last_seq !== before?.last_seq || now?.acknowledged !== before?.acknowledged) return false;
        for (const op of ops) await tx.objectStore('ops').put(op);
        const former = (now ? [...now.former, now] : []).map(({ device_id, acknowledged, settled }) =>
          ({ device_id, acknowledged: all ? 0 : acknowledged, settled: all ? 0 : settled }));
        const from = now?.person?.id ?? null;
        const shared = Boolean(now && (now.shared || from !== device.person.id));
        if (now) await changedHands(tx, from, device.person.id);
        await tx.objectStore('meta').put({ ...device, last_seq: ops.length, last_hash: ops.at(-1)?.hash ?? '', acknowledged: 0, settled: 0, former, shared }, 'device');
        await keys.adopt(tx);
        return true;
      });
      if (done) break;
    }
    bus.say('answered');
  }

  /** Forgets ops the server has answered and sent back, once they are 30 days old. */
  async function prune() {
    const limit = clock.now() - RETENTION_MS;
    await outbox.write(['meta', 'ops', 'results'], async (tx) => {
      const head = await tx.objectStore('meta').get('device');
      for (const at of head ? [...head.former, head] : []) {
        const to = at === head ? at.settled : Infinity;
        let cursor = await tx.objectStore('ops').openCursor(IDBKeyRange.bound([at.device_id, 0], [at.device_id, to]));
        for (; cursor && cursor.value.made_at < limit; cursor = await cursor.continue()) {
          if (cursor.value.seq > at.settled) {
            // Renumbered for a later enrolment, whose row says what became of it.
            if ((await tx.objectStore('ops').index('op_id').count(cursor.value.op_id)) > 1) await cursor.delete();
            continue;
          }
          const result = await tx.objectStore('results').get(cursor.value.op_id);
          // What the office has set aside stays readable here until somebody has looked.
          if (result && ['quarantined', 'raw'].includes(result.status)) continue;
          await tx.objectStore('results').delete(cursor.value.op_id);
          await cursor.delete();
        }
      }
    });
  }

  return {
    meta, unsent, waiting, answerTo, acknowledge, settle, laidOver, unsettle, resendFrom, retained, offerAgain, adopt, prune, changeHead,
    device: journal.head,
    /** The head, where an enrolment is certain. */
    enrolled: async () => /** @type {import('./journal.js').Head} */ (await journal.head()),
    setMeta: (key, value) => outbox.write(['meta'], (tx) => tx.objectStore('meta').put(value, key)),
    /** What the engine reports of itself. @param {object} members */
    async report(members) {
      await outbox.write(['meta'], async (tx) => {
        const store = tx.objectStore('meta');
        await store.put({ ...(await store.get('sync')), ...members }, 'sync');
      });
      bus.say('sync');
    },
  };
}

/** @typedef {ReturnType<typeof makeQueue>} Queue */
