/** What the bytes of a picture are: told by the bytes themselves, never by a file's name, and without decoding them. Pure. */

/**
 * @typedef {{kind: 'image/jpeg'|'image/png'|'image/heic'|'image/webp'|'', width: number, height: number}} Picture
 *   width and height as the pixels lie, 0 where the head does not say; kind '' is no picture that is known here
 *
 * @param {ArrayBuffer} bytes @returns {Picture}
 */
export function look(bytes) {
  const data = new DataView(bytes);
  const text = (/** @type {number} */ from, /** @type {number} */ to) => String.fromCharCode(...new Uint8Array(bytes.slice(from, to)));
  if (data.byteLength >= 24 && text(1, 4) === 'PNG') return { kind: 'image/png', width: data.getUint32(16), height: data.getUint32(20) };
  if (data.byteLength >= 12 && text(4, 8) === 'ftyp') {
    const brand = /^(hei[cxms]|hev[cx]|mif1|msf1)$/.test(text(8, 12));
    return { kind: brand ? 'image/heic' : '', width: 0, height: 0 };
  }
  if (data.byteLength >= 12 && text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return { kind: 'image/webp', width: 0, height: 0 };
  if (data.byteLength >= 4 && data.getUint16(0) === 0xffd8) return { kind: 'image/jpeg', ...frameOf(data) };
  return { kind: '', width: 0, height: 0 };
}

/** The size that a JPEG's frame header gives: the first such header that is no table. @param {DataView} data */
function frameOf(data) {
  let at = 2;
  while (at + 9 < data.byteLength && data.getUint8(at) === 0xff) {
    const marker = data.getUint8(at + 1);
    if (marker === 0xff) { at += 1; continue; } // padding
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: data.getUint16(at + 7), height: data.getUint16(at + 5) };
    }
    at += 2 + data.getUint16(at + 2);
  }
  return { width: 0, height: 0 };
}
