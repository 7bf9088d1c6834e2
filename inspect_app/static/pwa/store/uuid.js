/** UUIDv7, made where the thing is made. The time inside is for index locality only and is never read back. */

let last = 0n;

/**
 * A new id: rises within one page even when the clock goes back or stands still.
 * @param {number} [now] milliseconds since 1970
 * @returns {string}
 */
export function uuidv7(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let ticks = (BigInt(Math.max(0, Math.floor(now))) << 12n) | BigInt(((bytes[6] & 15) << 8) | bytes[7]);
  if (ticks <= last) ticks = last + 1n;
  last = ticks;
  const ms = ticks >> 12n;
  const sub = Number(ticks & 0xfffn);
  for (let i = 0; i < 6; i++) bytes[i] = Number((ms >> BigInt(8 * (5 - i))) & 0xffn);
  bytes[6] = 0x70 | (sub >> 8);
  bytes[7] = sub & 255;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
