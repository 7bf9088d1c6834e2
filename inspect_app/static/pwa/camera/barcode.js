/**
 * Reads the code on a label out of the camera's picture: with the browser's own reader where there is one, else with the
 * ponyfill in a worker of its own. That is fetched when it is first needed and is no part of the app that works offline.
 */

const WORKER = '/static/barcode-worker.js';
const START_MS = 20_000;
/** Kinds that stand on meters, bottles and tickets. */
const FORMATS = ['code_128', 'code_39', 'code_93', 'codabar', 'ean_13', 'ean_8', 'itf', 'upc_a', 'upc_e', 'qr_code', 'data_matrix', 'pdf417'];

/** No code can be read on this tablet now. */
export class NoReader extends Error {}

/**
 * @typedef {{read: (video: HTMLVideoElement) => Promise<string | null>, close: () => void}} Reader
 *   read: the text exactly as it stands in the code, or null where none is in view
 *
 * @param {{BarcodeDetector?: any, makeWorker?: () => Worker}} [browser] what the browser offers; a test hands its own in
 * @returns {Promise<Reader>} rejects with NoReader where there is none and none can be fetched
 */
export async function openReader(browser = {}) {
  const Own = browser.BarcodeDetector ?? /** @type {any} */ (globalThis).BarcodeDetector;
  const known = Own ? await Own.getSupportedFormats().catch(() => []) : [];
  const formats = FORMATS.filter((one) => known.includes(one));
  if (formats.length) {
    const detector = new Own({ formats });
    return { read: async (video) => (await detector.detect(video))[0]?.rawValue ?? null, close() {} };
  }
  return throughWorker(browser.makeWorker ?? (() => new Worker(WORKER, { type: 'module' })));
}

/** @param {() => Worker} makeWorker @returns {Promise<Reader>} */
async function throughWorker(makeWorker) {
  const worker = makeWorker();
  /** @type {(answer: any) => void} */
  let told = () => {};
  worker.onmessage = (event) => told(event.data);
  try {
    await new Promise((resolve, reject) => {
      told = (said) => (said.ready ? resolve(null) : reject(new NoReader(said.problem)));
      worker.onerror = () => reject(new NoReader('The reader could not be fetched.'));
      setTimeout(reject, START_MS, new NoReader('The reader did not come in time.'));
      worker.postMessage({ formats: FORMATS });
    });
  } catch (problem) {
    worker.terminate();
    throw problem;
  }
  return {
    async read(video) {
      const picture = await createImageBitmap(video);
      const answer = await new Promise((resolve) => { told = resolve; worker.postMessage({ picture }, [picture]); });
      return answer.text ?? null;
    },
    close: () => worker.terminate(),
  };
}
