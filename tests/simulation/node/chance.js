/** The clock and all random numbers of a seed; a seed gives the same run again. */

const webCrypto = globalThis.crypto;

export const random = seeded(Number(process.argv[2]));
export const clock = { at: 0, now: () => clock.at, mono: () => clock.at % 1e9, sleep: async () => undefined };

Date.now = clock.now;
Object.defineProperty(globalThis, 'crypto', {
  value: {
    subtle: webCrypto.subtle,
    getRandomValues(into) {
      for (let i = 0; i < into.length; i++) into[i] = Math.floor(random() * 256);
      return into;
    },
  },
});

/** Random numbers of a seed: the same ones again. @param {number} state */
function seeded(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
