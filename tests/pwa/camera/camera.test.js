import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openCamera } from '../../../inspect_app/static/pwa/camera/camera.js';

const video = () => ({ setAttribute() {}, play: async () => {}, srcObject: null });

function devices({ torch = false, error } = {}) {
  const track = {
    readyState: 'live', constraints: [],
    getCapabilities: () => ({ torch }),
    applyConstraints: async (constraints) => { track.constraints.push(constraints); },
    stop() { track.readyState = 'ended'; },
  };
  return {
    track,
    mediaDevices: {
      getUserMedia: async () => {
        if (error) throw new DOMException('no', error);
        return { getVideoTracks: () => [track], getTracks: () => [track] };
      },
    },
  };
}

class Still {
  async takePhoto() { return new Blob([new Uint8Array([1, 2, 3])], { type: 'image/jpeg' }); }
}

test("the sensor's own picture is handed on untouched", async () => {
  const { mediaDevices } = devices();
  const camera = await openCamera(video(), { mediaDevices, ImageCapture: Still });
  const { bytes, mime } = await camera.capture();
  assert.deepEqual([...new Uint8Array(bytes)], [1, 2, 3]);
  assert.equal(mime, 'image/jpeg');
  assert.equal(camera.torch, null);
});

test('the torch is offered where there is one', async () => {
  const { mediaDevices, track } = devices({ torch: true });
  const camera = await openCamera(video(), { mediaDevices, ImageCapture: Still });
  assert.equal(await camera.torch(true), true);
  assert.deepEqual(track.constraints, [{ advanced: [{ torch: true }] }]);
});

test('closing gives the camera back, and a picture is then refused in words', async () => {
  const { mediaDevices, track } = devices();
  const screen = video();
  const camera = await openCamera(screen, { mediaDevices, ImageCapture: Still });
  camera.close();
  assert.deepEqual([track.readyState, screen.srcObject], ['ended', null]);
  await assert.rejects(camera.capture(), /taken by another app/);
});

for (const [error, kind] of [['NotAllowedError', 'denied'], ['NotFoundError', 'absent'], ['NotReadableError', 'busy']]) {
  test(`${error} becomes a sentence with what to do next`, async () => {
    const { mediaDevices } = devices({ error });
    await assert.rejects(openCamera(video(), { mediaDevices }), (problem) => problem.kind === kind && /[.]$/.test(problem.message));
  });
}
