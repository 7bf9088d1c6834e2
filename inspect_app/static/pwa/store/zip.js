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

/**
 * The files in an archive that was made here, by name, each a part of the blob.
 * @param {Blob} blob
 * @returns {Promise<Map<string, Blob>>}
 */
export async function unzipped(blob) {
  const view = async (from, length) => new DataView(await blob.slice(from, from + length).arrayBuffer());
  const end = await view(blob.size - 22, 22);
  if (end.getUint32(0, true) !== 0x06054b50) throw new Error('not an archive, or not whole');
  const entries = new Map();
  const size = end.getUint32(12, true);
  const directory = await view(end.getUint32(16, true), size);
  for (let at = 0; at < size;) {
    const [stored, bytes, label, extra, note, from] = [[10, 2], [24, 4], [28, 2], [30, 2], [32, 2], [42, 4]].map(([offset, width]) =>
      (width === 2 ? directory.getUint16(at + offset, true) : directory.getUint32(at + offset, true)));
    if (stored !== 0) throw new Error('compressed');
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + 46, label));
    const local = await view(from, 30);
    const start = from + 30 + local.getUint16(26, true) + local.getUint16(28, true);
    entries.set(name, blob.slice(start, start + bytes));
    at += 46 + label + extra + note;
  }
  return entries;
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
