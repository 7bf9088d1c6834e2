/** A smaller picture made from a photo's bytes, one at a time in memory. The bytes themselves are only read. */

const LONGEST_SIDE = 1200;
const QUALITY = 0.8;
/** Text in a preview: this part of its height, and never so small that nobody reads it. */
const LETTER = 1 / 28;

/**
 * The picture for screens and for the slow line.
 * @param {ArrayBuffer} bytes
 * @param {string} mime
 * @param {string[]} [lines] burnt into its foot, where the village wants that: never into the photo
 * @returns {Promise<ArrayBuffer|null>} JPEG; null where the browser cannot decode or draw it
 */
export const makePreview = (bytes, mime, lines = []) => smaller(bytes, mime, { longest: LONGEST_SIDE, quality: QUALITY, lines });

/**
 * @param {ArrayBuffer} bytes
 * @param {string} mime
 * @param {{longest: number, quality: number, lines?: string[]}} how longest: pixels of the longer side at most
 * @returns {Promise<ArrayBuffer|null>} JPEG
 */
export async function smaller(bytes, mime, { longest, quality, lines = [] }) {
  if (typeof createImageBitmap === 'undefined') return null;
  // Browsers turn the picture by its EXIF orientation themselves; turning it again would lay it on its side.
  const whole = await createImageBitmap(new Blob([bytes], { type: mime }));
  const scale = Math.min(1, longest / Math.max(whole.width, whole.height));
  const width = Math.max(1, Math.round(whole.width * scale));
  const height = Math.max(1, Math.round(whole.height * scale));
  const small = await createImageBitmap(whole, { resizeWidth: width, resizeHeight: height, resizeQuality: 'medium' })
    .finally(() => whole.close());
  try {
    return await drawn(small, { width, height, quality, lines });
  } finally {
    small.close();
  }
}

/** @param {ImageBitmap} bitmap @param {{width: number, height: number, quality: number, lines: string[]}} how */
async function drawn(bitmap, { width, height, quality, lines }) {
  if (typeof OffscreenCanvas !== 'undefined') {
    const canvas = new OffscreenCanvas(width, height);
    paint(canvas.getContext('2d'), bitmap, { width, height, lines });
    return (await canvas.convertToBlob({ type: 'image/jpeg', quality })).arrayBuffer();
  }
  if (typeof document === 'undefined') return null;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  paint(canvas.getContext('2d'), bitmap, { width, height, lines });
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  canvas.width = 0; // gives the pixels back at once on tablets that are short of memory
  return blob ? blob.arrayBuffer() : null;
}

/** The picture, and the lines on a dark foot, each as long as there is room. @param {any} context @param {ImageBitmap} bitmap
 * @param {{width: number, height: number, lines: string[]}} how */
function paint(context, bitmap, { width, height, lines }) {
  context?.drawImage(bitmap, 0, 0);
  if (!context || !lines.length) return;
  const letter = Math.max(14, Math.round(Math.min(width, height) * LETTER));
  const foot = Math.round(letter * 1.3) * lines.length + letter;
  context.fillStyle = 'rgba(0, 0, 0, 0.7)';
  context.fillRect(0, height - foot, width, foot);
  context.fillStyle = '#fff';
  context.font = `${letter}px system-ui, sans-serif`;
  context.textBaseline = 'top';
  lines.forEach((line, n) => context.fillText(line, letter / 2, height - foot + letter / 2 + n * letter * 1.3, width - letter));
}
