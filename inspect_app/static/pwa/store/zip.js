/** A zip archive without compression: photos do not shrink, and the parts need not be held in memory at once. */

const TABLE = Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});

/** @param {Uint8Array} bytes */
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = TABLE[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/**
 * @param {{name: string, blob: Blob}[]} entries
 * @param {Date} at
 * @returns {Promise<Blob>} under 4 GiB, the limit of plain zip
 */
export async function zipped(entries, at) {
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);
  const date = ((Math.max(1980, at.getFullYear()) - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, blob } of entries) {
    const label = new TextEncoder().encode(name);
    const crc = crc32(new Uint8Array(await blob.arrayBuffer()));
    const common = numbers([[2, 20], [2, 0x0800], [2, 0], [2, time], [2, date], [4, crc], [4, blob.size], [4, blob.size], [2, label.length], [2, 0]]);
    const local = numbers([[4, 0x04034b50]]);
    directory.push(numbers([[4, 0x02014b50], [2, 20]]), common, numbers([[2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), label);
    parts.push(local, common, label, blob);
    offset += local.length + common.length + label.length + blob.size;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = numbers([[4, 0x06054b50], [2, 0], [2, 0], [2, entries.length], [2, entries.length], [4, size], [4, offset], [2, 0]]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}

/** Little-endian numbers of 2 or 4 bytes. @param {[number, number][]} list */
function numbers(list) {
  const bytes = new Uint8Array(list.reduce((sum, [width]) => sum + width, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [width, value] of list) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return bytes;
}
