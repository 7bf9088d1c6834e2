/**
 * The device key: ECDSA P-256, made on this tablet, never extractable, kept in the outbox database.
 * A script in the page could use it but cannot take it away.
 */

import { base64 } from './hashes.js';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' };

/**
 * @typedef {object} Keys
 * @property {() => Promise<JsonWebKey>} prepare the public half of a key for an enrolment that is not finished yet
 * @property {(tx: any) => Promise<void>} adopt within a transaction over `keys`: the prepared key becomes the device's
 * @property {(text: string, prepared?: boolean) => Promise<string>} sign base64 of the 64 bytes r||s over the UTF-8 of the text
 */

/**
 * @param {import('./database.js').Database} outbox
 * @returns {Keys}
 */
export function makeKeys(outbox) {
  // Read each time: another tab may have enrolled the tablet anew since.
  const stored = (name) => outbox.read(['keys'], (tx) => tx.objectStore('keys').get(name));

  return {
    async prepare() {
      let pair = await stored('next');
      if (!pair) {
        const fresh = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
        // Two tabs may enrol at once: the first key stands, and a repeated request names the same one.
        pair = await outbox.write(['keys'], async (tx) => {
          const there = await tx.objectStore('keys').get('next');
          if (!there) await tx.objectStore('keys').put(fresh, 'next');
          return there ?? fresh;
        });
      }
      const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
      return { kty, crv, x, y };
    },
    async adopt(tx) {
      const keys = tx.objectStore('keys');
      const next = await keys.get('next');
      if (!next) return;
      await keys.put(next, 'device');
      await keys.delete('next');
    },
    async sign(text, prepared = false) {
      const pair = await stored(prepared ? 'next' : 'device');
      if (!pair) throw new Error('This tablet has no key yet: enrol it first.');
      return base64(await crypto.subtle.sign(SIGNING, pair.privateKey, new TextEncoder().encode(text)));
    },
  };
}
