/** A picture of at most 1200 pixels a side, made from a photo's bytes. The original is only read. */

const LONGEST_SIDE = 1200;
const QUALITY = 0.8;

/**
 * @param {ArrayBuffer} bytes
 * @param {string} mime
 * @returns {Promise<ArrayBuffer|null>} JPEG; null where the browser cannot decode or draw it
 */
export async function makePreview(bytes, mime) {
  if (typeof createImageBitmap === 'undefined') return null;
  // Browsers turn the picture by its EXIF orientation themselves; turning it again would lay it on its side.
  const whole = await createImageBitmap(new Blob([bytes], { type: mime }));
  const scale = Math.min(1, LONGEST_SIDE / Math.max(whole.width, whole.height));
  const width = Math.max(1, Math.round(whole.width * scale));
  const height = Math.max(1, Math.round(whole.height * scale));
  const small = await createImageBitmap(whole, { resizeWidth: width, resizeHeight: height, resizeQuality: 'medium' })
    .finally(() => whole.close());
  try {
    return await drawn(small, width, height);
  } finally {
    small.close();
  }
}

/** @param {ImageBitmap} bitmap @param {number} width @param {number} height */
async function drawn(bitmap, width, height) {
  if (typeof OffscreenCanvas !== 'undefined') {
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    return (await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })).arrayBuffer();
  }
  if (typeof document === 'undefined') return null;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
  canvas.width = 0; // gives the pixels back at once on tablets that are short of memory
  return blob ? blob.arrayBuffer() : null;
}
