/** Hashes and encodings of bytes and texts, as they travel. */

const utf8 = new TextEncoder();

/**
 * SHA-256 of a text's UTF-8 bytes or of bytes, as lower-case hex.
 * @param {string|BufferSource} value
 * @returns {Promise<string>}
 */
export async function sha256(value) {
  return hex(await digest(value));
}

/**
 * SHA-256 as base64, the form of tus checksums.
 * @param {string|BufferSource} value
 */
export async function sha256Base64(value) {
  return base64(await digest(value));
}

/** @param {string|BufferSource} value */
function digest(value) {
  return crypto.subtle.digest('SHA-256', typeof value === 'string' ? utf8.encode(value) : value);
}

/** @param {ArrayBuffer} buffer */
export function hex(buffer) {
  return [...new Uint8Array(buffer)].map((b) => b.toString(16).padStart(2, '0')).join('');
}

/** @param {ArrayBuffer|Uint8Array} buffer */
export function base64(buffer) {
  let text = '';
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * The number of UTF-8 bytes of a text.
 * @param {string} text
 */
export function byteLength(text) {
  return utf8.encode(text).length;
}

/**
 * JSON with sorted keys and no spaces: the same text on server and tablet for the same data.
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  if (value && typeof value === 'object') {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
