import assert from 'node:assert/strict';
import { test } from 'node:test';

import { averaged, current } from '../../../inspect_app/static/pwa/place/place.js';

/** A receiver that gives these fixes one after the other; a number is an accuracy in metres, about one spot. */
function receiver(fixes) {
  let at = 0;
  return {
    getCurrentPosition(good, bad, options) {
      this.options = options;
      const fix = fixes[Math.min(at, fixes.length - 1)];
      at += 1;
      if (fix.code) return bad(fix);
      const coords = typeof fix === 'number' ? { latitude: 43.0155 + at * 1e-5, longitude: -89.8954, accuracy: fix } : fix;
      return good({ coords, timestamp: at * 1000, ...fix.more });
    },
  };
}

/** Time that passes only while one waits for the next fix. */
function waiting() {
  let ms = 0;
  return { now: () => ms, sleep: async (/** @type {number} */ by) => { ms += by; } };
}

test('a position is a field with its accuracy, its source and the instant of the fix', async () => {
  const geolocation = receiver([{ latitude: 43.01657777, longitude: -89.89532222, accuracy: 4.26 }]);
  assert.deepEqual(await current({ geolocation }), { lat: 43.016578, lon: -89.895322, accuracy_m: 4.3, at: '1970-01-01T00:00:01.000Z', source: 'gps' });
});

for (const [code, kind] of [[1, 'denied'], [2, 'unavailable'], [3, 'timeout']]) {
  test(`a position that is ${kind} is told in words`, async () => {
    await assert.rejects(current({ geolocation: receiver([{ code }]) }), { kind });
    await assert.rejects(averaged({ geolocation: receiver([{ code }]), ...waiting() }), { kind });
  });
}

test('a fix beyond the gate is left out of the mean, and the others are counted', async () => {
  const heard = [];
  const geolocation = receiver([2, 2, 9, 2, 2]);
  const found = await averaged({ gate_m: 3, wanted: 4, geolocation, heard: (n) => heard.push(n), ...waiting() });
  assert.deepEqual([found.fixes, found.accuracy_m, heard], [4, 2, [1, 2, 3, 4]]);
  assert.equal(found.lat, 43.01553); // of the first, second, fourth and fifth: the third would not move it, its accuracy would
  assert.equal(geolocation.options.maximumAge, 0);
});

test('a lone fix beyond the gate is refused with its accuracy, not taken for want of a better one', async () => {
  await assert.rejects(averaged({ gate_m: 3, geolocation: receiver([9]), ...waiting() }), { kind: 'poor', accuracy_m: 9 });
  await assert.rejects(averaged({ geolocation: receiver([3000]), ...waiting() }), { kind: 'poor', accuracy_m: 3000 });
});

test('a fix good to 3 m says more than one good to 20 m, and the mean claims no more than they do', async () => {
  const geolocation = receiver([{ latitude: 43, longitude: -89, accuracy: 20 }, { latitude: 44, longitude: -89, accuracy: 2 }]);
  const found = await averaged({ wanted: 2, geolocation, ...waiting() });
  assert.ok(found.lat > 43.98, `${found.lat}`);
  assert.ok(found.accuracy_m >= 2 && found.accuracy_m < 3, `${found.accuracy_m}`);
});

test('a tablet that gives no second fix is not waited for as long as for the first', async () => {
  const asked = [];
  const geolocation = receiver([4, { code: 3 }]);
  const watched = { getCurrentPosition: (good, bad, options) => { asked.push(options.timeout); geolocation.getCurrentPosition(good, bad, options); } };
  assert.equal((await averaged({ geolocation: watched, ...waiting() })).fixes, 1);
  assert.deepEqual(asked, [15_000, 3_000]);
});

test('when the signal goes in the middle, what was found counts', async () => {
  const found = await averaged({ geolocation: receiver([4, 4, { code: 3 }]), ...waiting() });
  assert.equal(found.fixes, 2);
});

test('a browser that has no newer fix is not waited for, and its fix counts once', async () => {
  const time = waiting();
  const geolocation = { getCurrentPosition: (good) => good({ coords: { latitude: 43, longitude: -89, accuracy: 5 }, timestamp: 0 }) };
  assert.equal((await averaged({ geolocation, ...time })).fixes, 1);
  assert.ok(time.now() < 2000);
});

test('a position that the browser calls made up is marked so, also as one of several', async () => {
  const made = { latitude: 43, longitude: -89, accuracy: 3, more: { mocked: true } };
  assert.equal((await current({ geolocation: receiver([made]) })).simulated, true);
  assert.equal((await averaged({ geolocation: receiver([4, made, 4, 4]), ...waiting() })).simulated, true);
  assert.equal((await averaged({ geolocation: receiver([4]), ...waiting() })).simulated, undefined);
});
