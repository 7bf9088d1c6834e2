/** Reads codes for the tablet app where the browser has no reader of its own: one picture comes in, its text goes out. */
import { BarcodeDetector, prepareZXingModule } from "./vendor/barcode-detector/dist/es/ponyfill.js";

// The package would fetch its binary from a public address; ours stands beside it.
prepareZXingModule({ overrides: { locateFile: (/** @type {string} */ name, /** @type {string} */ before) => (name.endsWith(".wasm")
  ? new URL(`./vendor/zxing-wasm/dist/reader/${name}`, import.meta.url).href : before + name) } });

/** @type {any} */
let detector = null;

addEventListener("message", async (/** @type {MessageEvent} */ { data: { formats, picture } }) => {
  try {
    if (formats) {
      detector = new BarcodeDetector({ formats });
      await prepareZXingModule({ fireImmediately: true });
      postMessage({ ready: true });
    } else {
      const [first] = await detector.detect(picture);
      picture.close();
      postMessage({ text: first?.rawValue ?? null });
    }
  } catch (problem) {
    picture?.close();
    postMessage({ problem: String(problem) });
  }
});
