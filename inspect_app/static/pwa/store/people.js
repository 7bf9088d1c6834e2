/**
 * Who works with this tablet. One storage serves several people, one at a time: what one wrote and did not finish is put
 * aside when another takes over and comes back with its author; ops and photos stay in the one queue and carry their
 * author's id, so they are sent whoever is signed in, and shown to nobody else.
 */

import { localInstant } from './journal.js';

const ROUNDS = 310_000; // PBKDF2 with SHA-256
const LIFE_MS = 30 * 24 * 3600_000; // the longest a sign-in is good for at the office
const TRIES = 5;

/** What a PIN that was typed amounts to. @typedef {{set_at: string} | {left: number}} Tried left: tries before it is of no more use */

/** The sign-in could not be taken from the tablet alone; the message is for the person. */
export class NotKnownHere extends Error {}

/**
 * Within a transaction over `meta` and `drafts`: puts what one person left open aside and brings back the other's.
 * @param {any} tx @param {string|null} from person id @param {string|null} to person id
 */
export async function changedHands(tx, from, to) {
  if (from === to) return;
  const meta = tx.objectStore('meta');
  const drafts = tx.objectStore('drafts');
  if (from) await meta.put({ drafts: await drafts.getAll(), position: (await meta.get('position')) ?? null }, `aside:${from}`);
  await drafts.clear();
  const back = to ? await meta.get(`aside:${to}`) : null;
  for (const row of back?.drafts ?? []) await drafts.put(row);
  await meta.put(back?.position ?? null, 'position');
  if (to) await meta.delete(`aside:${to}`);
}

/** @param {{store: import('./store.js').Store}} parts */
export function makePeople({ store }) {
  const { outbox, queue, replica, clock, bus } = store;
  const known = async () => (await queue.meta('people')) ?? {};

  /** @param {string} name as it is compared @param {(entry: any) => object|null} change_ */
  const change = (name, change_) => outbox.write(['meta'], async (tx) => {
    const people = (await tx.objectStore('meta').get('people')) ?? {};
    const next = change_(people[name]);
    if (next) await tx.objectStore('meta').put({ ...people, [name]: next }, 'people');
  });

  /**
   * Hands the tablet to a person who proved who they are, or to nobody.
   * @param {{id: string, name: string, roles: string[]}|null} person
   * @param {string|null} token for receiving; null: to be asked for at the next connection
   */
  async function become(person, token) {
    let isOther = false;
    await outbox.write(['meta', 'drafts'], async (tx) => {
      const meta = tx.objectStore('meta');
      const head = await meta.get('device');
      isOther = (head.person?.id ?? null) !== (person?.id ?? null);
      await changedHands(tx, head.person?.id ?? null, person?.id ?? null);
      await meta.put({ ...head, person, shared: head.shared || isOther }, 'device');
      if (token) await meta.put(token, 'person_token');
      else await meta.delete('person_token');
    });
    await queue.report({ needs: null, reason: null });
    if (!isOther) {
      bus.say('enrolled');
      return;
    }
    await replica.turn();
    bus.say('person');
  }

  /**
   * Keeps a sign-in that the office accepted, locked with the password, for coming back without a signal.
   * @param {string} name @param {string} password @param {{person: any, token: string}} sign_in
   */
  async function remember(name, password, { person, token }) {
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const text = new TextEncoder().encode(JSON.stringify({ person, token }));
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await keyOf(password, salt), text);
    await change(called(name), () => ({ name: person.name, id: person.id, salt, iv, sealed, at: clock.now(), wrong: 0 }));
    // Who proved to be the person by password may choose another PIN in place of one that was tried too often.
    await changePin(person.id, (pin) => (pin?.wrong >= TRIES ? null : undefined));
  }

  const pins = async () => (await queue.meta('pins')) ?? {};

  /** @param {string} id @param {(pin: any) => object|null|undefined} change_ null takes it away, undefined changes nothing */
  const changePin = (id, change_) => outbox.write(['meta'], async (tx) => {
    const all = (await tx.objectStore('meta').get('pins')) ?? {};
    const next = change_(all[id]);
    if (next !== undefined) await tx.objectStore('meta').put({ ...all, [id]: next ?? undefined }, 'pins');
  });

  /** Chooses the PIN that a person signs with on this tablet, unless there is one. Only a slow hash of it is kept.
   * @param {string} id person @param {string} pin @returns {Promise<Tried>} */
  async function choosePin(id, pin) {
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const set_at = localInstant(clock.now());
    const hash = await slowHash(pin, salt);
    await changePin(id, (now) => (now ? undefined : { salt, hash, set_at, wrong: 0 }));
    return tryPin(id, pin);
  }

  /** Whether this is the person's PIN, and since when. A try counts before it is looked at: closing the page saves none.
   * @param {string} id person @param {string} pin @returns {Promise<Tried>} */
  async function tryPin(id, pin) {
    await changePin(id, (now) => now && { ...now, wrong: now.wrong + 1 });
    const kept = (await pins())[id];
    if (!kept || kept.wrong > TRIES) return { left: 0 };
    if ((await slowHash(pin, kept.salt)) !== kept.hash) return { left: TRIES - kept.wrong };
    await changePin(id, (now) => now && { ...now, wrong: 0 });
    return { set_at: kept.set_at };
  }

  /**
   * Opens a sign-in that was kept here.
   * @param {string} name @param {string} password @returns {Promise<{person: any, token: string}>}
   */
  async function unlock(name, password) {
    const kept = (await known())[called(name)];
    if (!kept) throw new NotKnownHere('There is no connection, and this name has not signed in on this tablet with its password before. Connect once.');
    if (clock.now() - kept.at > LIFE_MS) throw new NotKnownHere('The last sign-in with this name was more than 30 days ago. Connect once, then sign in.');
    if (kept.wrong >= TRIES) throw new NotKnownHere('The password was wrong five times. Connect, then sign in.');
    try {
      const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: kept.iv }, await keyOf(password, kept.salt), kept.sealed);
      await change(called(name), (now) => now && { ...now, wrong: 0 });
      return JSON.parse(new TextDecoder().decode(text));
    } catch {
      await change(called(name), (now) => now && { ...now, wrong: now.wrong + 1 });
      throw new NotKnownHere('Name or password is not right.');
    }
  }

  return {
    become, remember, unlock, choosePin, tryPin,
    /** @param {string} id person @returns {Promise<boolean>} */
    hasPin: async (id) => Boolean((await pins())[id]),
    /** Who has signed in here with a password, as [{sign_in_name, name, id}]. */
    all: async () => Object.entries(await known()).map(([sign_in_name, { name, id }]) => ({ sign_in_name, name, id })),
  };
}

/** A sign-in name as it is compared. @param {string} name */
const called = (name) => name.trim().toLowerCase();

/** @param {string} pin @param {Uint8Array<ArrayBuffer>} salt */
async function slowHash(pin, salt) {
  const typed = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, ['deriveBits']);
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS }, typed, 256);
  return Array.from(new Uint8Array(bits), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {string} password @param {Uint8Array<ArrayBuffer>} salt */
async function keyOf(password, salt) {
  const typed = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveKey']);
  return crypto.subtle.deriveKey({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ROUNDS }, typed,
    { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
