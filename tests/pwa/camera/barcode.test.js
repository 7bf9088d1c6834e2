import assert from 'node:assert/strict';
import { test } from 'node:test';

import { NoReader, openReader } from '../../../inspect_app/static/pwa/camera/barcode.js';

test("the browser's own reader is used where there is one, and the text stays exactly as it is", async () => {
  class BarcodeDetector {
    static async getSupportedFormats() { return ['code_128', 'qr_code', 'aztec']; }
    constructor({ formats }) { this.formats = formats; }
    async detect() { return this.formats.includes('aztec') ? [] : [{ rawValue: ' 00002408 ' }, { rawValue: 'second' }]; }
  }
  const reader = await openReader({ BarcodeDetector });
  assert.equal(await reader.read(/** @type {any} */ ({})), ' 00002408 ');
});

/** A worker that answers as it is told. */
function worker(answers) {
  const made = { onmessage: null, onerror: null, gone: false, terminate() { made.gone = true; },
    postMessage(said) { queueMicrotask(() => { const answer = answers(said); if (answer) made.onmessage({ data: answer }); else made.onerror(); }); } };
  return made;
}

test('without one, or with one that reads nothing we need, a worker reads', async () => {
  globalThis.createImageBitmap = async () => /** @type {any} */ ({});
  const texts = [null, '012345'];
  const made = worker((said) => (said.formats ? { ready: true } : { text: texts.shift() }));
  class BarcodeDetector { static async getSupportedFormats() { return []; } }
  const reader = await openReader({ BarcodeDetector, makeWorker: () => made });
  assert.deepEqual([await reader.read(/** @type {any} */ ({})), await reader.read(/** @type {any} */ ({}))], [null, '012345']);
  reader.close();
  assert.equal(made.gone, true);
});

test('a worker that cannot be fetched is given up, for the text can be typed', async () => {
  for (const answers of [() => null, () => ({ problem: 'no binary' })]) {
    const made = worker(answers);
    await assert.rejects(openReader({ makeWorker: () => made }), NoReader);
    assert.equal(made.gone, true);
  }
});
