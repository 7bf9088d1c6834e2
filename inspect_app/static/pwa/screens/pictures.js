/** Pictures of photos as addresses an img can show; each is read once and let go when enough others came. */

/** Pictures in memory, unless more stand on the screen. */
const MOST = 40;
/** One that was asked for so short a time ago stands on the screen: to let it go would only have it read again. */
const SHOWN_MS = 5000;

/** @param {{photo: (id: string, photoId: string) => Promise<Blob | null | undefined>}} store @param {() => void} changed */
export function makePictures(store, changed) {
  /** @type {Map<string, string | null | undefined>} undefined while it is read, null where there is none */
  const urls = new Map();
  /** @type {Map<string, number>} when each was last asked for */
  const asked = new Map();

  /** @param {string} recordId @param {string} photoId */
  async function read(recordId, photoId) {
    const blob = await store.photo(recordId, photoId).catch(() => null);
    urls.set(photoId, blob ? URL.createObjectURL(blob) : null);
    const now = performance.now();
    for (const [id, url] of [...urls].slice(0, Math.max(0, urls.size - MOST))) {
      if (now - (asked.get(id) ?? 0) < SHOWN_MS) continue;
      if (url) URL.revokeObjectURL(url);
      urls.delete(id);
      asked.delete(id);
    }
    changed();
  }

  return {
    /** The address of a photo's picture; undefined at first, and the screen is drawn again when it is there.
     * @param {string} recordId @param {string} photoId */
    url(recordId, photoId) {
      asked.set(photoId, performance.now());
      if (!urls.has(photoId)) { urls.set(photoId, undefined); read(recordId, photoId); }
      return urls.get(photoId);
    },
  };
}
