/**
 * The journal: the signed, numbered, append-only log of what this tablet did.
 *
 * An op's number is given in the transaction that adds it. Hash and signature take an await that would end that
 * transaction, so they are made before it, from the head as read; the transaction then checks that the head has not
 * moved (another tab may have written) and everything starts again if it has.
 */

import { sha256 } from './hashes.js';
import { uuidv7 } from './uuid.js';

const SCHEMA = 1;
const BOOT = uuidv7();
const BROKEN = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|\u0000/g;

/**
 * @typedef {object} Head the meta row `device`
 * @property {string} device_id
 * @property {string} kid
 * @property {string} epoch
 * @property {string} village
 * @property {{id: string, name: string, roles: string[]}|null} person who is signed in; null: nobody
 * @property {number} last_seq
 * @property {string} last_hash
 * @property {number} acknowledged every op up to this number has a final answer
 * @property {number} settled every op up to this number is in what was pulled
 * @property {{device_id: string, acknowledged: number, settled: number}[]} former earlier enrolments of this storage
 * @property {boolean} [shared] more than one person has worked with this storage
 *
 * @typedef {object} Op a row of `ops`; never rewritten
 * @property {string} device_id
 * @property {number} seq
 * @property {string} op_id
 * @property {string} record_id
 * @property {string} kind
 * @property {string} [user_id] its author, as in its content
 * @property {{body: string, sig: string, kid: string}} envelope
 * @property {string} hash sha256 of the body
 * @property {number} bytes of the envelope as JSON
 * @property {number} made_at milliseconds since 1970, for the person's eye only
 *
 * @typedef {object} Entry what an op says, without what the journal adds
 * @property {string} kind
 * @property {string|null} record_id
 * @property {string} [op_id]
 * @property {Record<string, any>} [own] the members of its kind
 *
 * @typedef {object} Plan
 * @property {Entry[]} entries
 * @property {string[]} [stores] further stores of the transaction
 * @property {(tx: any, ops: Op[]) => Promise<void>} [apply] what must be written together with the ops
 *
 * @typedef {object} Clock
 * @property {() => number} now milliseconds since 1970
 * @property {() => number} mono milliseconds that only rise
 * @property {(ms: number) => Promise<void>} [sleep]
 */

/** Thrown by a plan's `apply` when what it was built on is no longer true: the plan is then built again. */
export class Moved extends Error {}

/**
 * @param {{outbox: import('./database.js').Database, keys: import('./keys.js').Keys, clock: Clock, app: string,
 *          bus?: import('./bus.js').Bus, copy?: (ops: Op[]) => Promise<void>}} parts
 */
export function makeJournal({ outbox, keys, clock, app, bus, copy }) {
  /** One append of this page at a time: they would only make each other start again. */
  let turn = Promise.resolve();

  /** @returns {Promise<Head|undefined>} */
  const head = () => outbox.read(['meta'], (tx) => tx.objectStore('meta').get('device'));

  /**
   * Adds the ops of a plan, or nothing at all.
   * @param {(head: Head) => Promise<Plan|null>} build called again when the head moved; null: nothing to do any more
   * @returns {Promise<Op[]>}
   */
  function append(build) {
    const result = turn.then(() => appendNow(build));
    turn = result.then(() => undefined, () => undefined);
    return result;
  }

  /** @param {(head: Head) => Promise<Plan|null>} build @returns {Promise<Op[]>} */
  async function appendNow(build) {
    for (;;) {
      const [before, measured] = await outbox.read(['meta'], async (tx) => [
        await tx.objectStore('meta').get('device'),
        await tx.objectStore('meta').get('clock'),
      ]);
      if (!before) throw new Error('This tablet is not enrolled, so it cannot sign what it records.');
      if (!before.person) throw new Error('Nobody is signed in on this tablet. Sign in, then record.');
      const plan = await build(before);
      if (!plan || !plan.entries.length) return [];
      const ops = [];
      let seq = before.last_seq;
      let prev = before.last_hash;
      for (const entry of plan.entries) {
        const content = JSON.stringify(contentOf(entry, before, measured), wholeText);
        const op = await sealed({ head: before, seq: ++seq, prev, op_id: entry.op_id ?? uuidv7(clock.now()), content });
        prev = op.hash;
        ops.push({ ...op, record_id: entry.record_id ?? '', kind: entry.kind, user_id: before.person.id, made_at: clock.now() });
      }
      try {
        await outbox.write(['meta', 'ops', ...(plan.stores ?? [])], async (tx) => {
          const meta = tx.objectStore('meta');
          const now = await meta.get('device');
          if (now.device_id !== before.device_id || now.last_seq !== before.last_seq || now.person?.id !== before.person.id) throw new Moved();
          for (const op of ops) await tx.objectStore('ops').add(op);
          await meta.put({ ...now, last_seq: seq, last_hash: prev }, 'device');
          await plan.apply?.(tx, ops);
        });
      } catch (problem) {
        if (problem instanceof Moved) continue;
        throw problem;
      }
      await copy?.(ops);
      bus?.say('op');
      return ops;
    }
  }

  /** @param {Entry} entry @param {Head} at @param {{offset_ms: number, at: number}|undefined} measured */
  function contentOf(entry, at, measured) {
    const now = clock.now();
    return {
      schema: SCHEMA,
      app,
      user_id: at.person?.id,
      kind: entry.kind,
      entity: 'inspection',
      record_id: entry.record_id,
      ...entry.own,
      wall: localInstant(now),
      boot: BOOT,
      mono: Math.round(clock.mono() * 10) / 10,
      clock: measured
        ? { offset_ms: Math.round(measured.offset_ms), age_s: Math.max(0, Math.round((now - measured.at) / 1000)) }
        : { offset_ms: null, age_s: null },
    };
  }

  /**
   * Numbers, hashes and signs a content; also used when a new enrolment gives unsent ops new numbers.
   * @param {{head: {device_id: string, kid: string}, seq: number, prev: string, op_id: string, content: string}} parts
   * @param {boolean} [prepared] sign with the key of an enrolment that is not finished yet
   */
  async function sealed({ head: of, seq, prev, op_id, content }, prepared = false) {
    const body = JSON.stringify({ v: 1, device_id: of.device_id, seq, prev, op_id, content });
    const envelope = { body, sig: await keys.sign(body, prepared), kid: of.kid };
    const bytes = new TextEncoder().encode(JSON.stringify(envelope)).length;
    return { device_id: of.device_id, seq, op_id, envelope, hash: await sha256(body), bytes };
  }

  return { head, append, sealed };
}

/** @typedef {ReturnType<typeof makeJournal>} Journal */

/** Half an emoji, cut by a length limit, and the character zero are kept by no database: they would set the op aside. */
function wholeText(_key, value) {
  return typeof value === 'string' ? value.replace(BROKEN, '\ufffd') : value;
}

/**
 * What an op says.
 * @param {Op} op
 * @returns {any}
 */
export function contentOf(op) {
  return JSON.parse(JSON.parse(op.envelope.body).content);
}

/** Who made an op. @param {Op} op @returns {string} person id */
export const authorOf = (op) => op.user_id ?? contentOf(op).user_id;

/**
 * Whether something here is the business of whoever is signed in: ops and photos of another person are sent with the
 * others and shown to their author alone.
 * @param {Head|undefined} head @param {string|undefined} author
 */
export const isOf = (head, author) => Boolean(head?.person) && (author ?? head?.person?.id) === head?.person?.id;

/**
 * The instant with the offset of the place, such as 2026-06-03T09:12:33.120-05:00.
 * @param {number} ms since 1970
 * @returns {string}
 */
export function localInstant(ms) {
  const minutes = -new Date(ms).getTimezoneOffset();
  const shifted = new Date(ms + minutes * 60_000).toISOString().slice(0, -1);
  const size = Math.abs(minutes);
  const two = (n) => String(n).padStart(2, '0');
  return `${shifted}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
