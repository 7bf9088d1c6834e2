/** Pictures of photos as addresses an img can show; each is read once and let go when enough others came. */

/** Pictures in memory at most. */
const MOST = 40;

/** @param {{photo: (id: string, photoId: string) => Promise<Blob | null | undefined>}} store @param {() => void} changed */
export function makePictures(store, changed) {
  /** @type {Map<string, string | null | undefined>} undefined while it is read, null where there is none */
  const urls = new Map();

  /** @param {string} recordId @param {string} photoId */
  async function read(recordId, photoId) {
    const blob = await store.photo(recordId, photoId).catch(() => null);
    urls.set(photoId, blob ? URL.createObjectURL(blob) : null);
    for (const [id, url] of [...urls].slice(0, Math.max(0, urls.size - MOST))) {
      if (url) URL.revokeObjectURL(url);
      urls.delete(id);
    }
    changed();
  }

  return {
    /** The address of a photo's picture; undefined at first, and the screen is drawn again when it is there.
     * @param {string} recordId @param {string} photoId */
    url(recordId, photoId) {
      if (!urls.has(photoId)) { urls.set(photoId, undefined); read(recordId, photoId); }
      return urls.get(photoId);
    },
  };
}
