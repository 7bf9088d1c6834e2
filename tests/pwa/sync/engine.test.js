import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { makeApi } from '../../../inspect_app/static/pwa/sync/api.js';
import { enrolled, makeTablet, photoOf } from '../store/tablet.js';
import { FakeServer } from './server.js';

const until = async (true_) => {
  for (let i = 0; i < 200 && !(await true_()); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(await true_());
};

test('a started engine sends what waits at once, and again when the connection comes back', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await tablet.begin({ protocol: 'tap', place: 'x' });
  const listeners = {};
  globalThis.addEventListener = (name, callback) => { (listeners[name] ??= []).push(callback); };
  globalThis.removeEventListener = (name) => { delete listeners[name]; };
  try {
    tablet.engine.start();
    await until(async () => server.ops.size === 1);
    await until(async () => (await tablet.store.status()).state === 'online');
    await tablet.begin({ protocol: 'tap', place: 'y' });
    for (const online of listeners.online) online();
    await until(async () => server.ops.size === 2);
    tablet.engine.stop();
    assert.equal(listeners.online, undefined);
  } finally {
    tablet.engine.stop();
    delete globalThis.addEventListener;
    delete globalThis.removeEventListener;
  }
});

test('an op made in another tab is a reason to send soon, also while a run is under way', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server, { pauses: { afterAnOp: 30, whileWaiting: 1e6, quiet: 1e6 } });
  const other = makeTablet({ server, name: tablet.name, locks: tablet.locks, clock: tablet.clock });
  tablet.engine.start();
  try {
    await other.begin({ protocol: 'tap', place: 'x' });
    await until(() => server.ops.size === 1);
    let isLate = false;
    server.between = async (request, answer) => {
      if (request.path.startsWith('/api/v1/reference') && !isLate) {
        isLate = true;
        await other.begin({ protocol: 'tap', place: 'after the push of this run' });
      }
      return answer();
    };
    await other.begin({ protocol: 'tap', place: 'y' });
    await until(() => server.ops.size === 3);
  } finally {
    tablet.engine.stop();
  }
});

test('pauses between attempts grow to five minutes, with full jitter', () => {
  const api = (random) => makeApi({ store: {}, fetch, clock: { now: () => 0 }, random: () => random, locks: null, log: () => {} });
  assert.deepEqual([1, 2, 3, 20].map(api(1).pause), [2000, 4000, 8000, 300_000]);
  assert.equal(api(0).pause(20), 0);
});

test('photos go also while the office cannot be read from, and the run says that it is not complete', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.addPhoto(id, photoOf(1000));
  const last = (await tablet.store.status()).last_full_sync;
  server.between = async (request, answer) => (request.path.startsWith('/api/v1/changes') ? new Response('oops', { status: 500, headers: { 'X-Sync': '1' } }) : answer());
  tablet.clock.at += 60_000;
  assert.equal((await tablet.sync()).state, 'offline');
  assert.equal(server.blobs.size, 1);
  assert.equal((await tablet.store.status()).last_full_sync, last);
  server.between = null;
  assert.equal((await tablet.sync()).state, 'done');
});

test('after the photos the record knows that they arrived', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.addPhoto(id, photoOf(1000));
  const finish = server.finish.bind(server);
  server.finish = (upload) => {
    finish(upload);
    server.records.get(id).doc.photos[0].state = 'stored';
    server.tick(id);
  };
  await tablet.sync();
  assert.equal((await tablet.inspection(id)).doc.photos[0].state, 'stored');
});

test('an error of our own stops the run, is written down, and leaves the queue', async () => {
  const server = new FakeServer();
  const lines = [];
  const tablet = await enrolled(server, { log: (line) => lines.push(line) });
  await tablet.begin({ protocol: 'tap', place: 'x' });
  server.between = async (request, answer) => (request.path === '/api/v1/ops'
    ? new Response('{"results": 5}', { headers: { 'Content-Type': 'application/json', 'X-Sync': '1' } }) : answer());
  assert.equal((await tablet.sync()).state, 'offline');
  assert.ok(lines.some((line) => line.step === 'error'));
  server.between = null;
  assert.equal((await tablet.sync()).state, 'done');
});

test('enrolment refused is told in the words of the server, and nothing is enrolled', async () => {
  const tablet = makeTablet({ server: new FakeServer() });
  await assert.rejects(tablet.enrol('BAD'), /This code is not known/);
  assert.equal((await tablet.store.status()).enrolled, false);
  assert.equal((await tablet.sync()).needs, 'enrol');
});

test('sync uses nothing that a service worker does not have', () => {
  const folder = new URL('../../../inspect_app/static/pwa/sync/', import.meta.url);
  for (const name of readdirSync(folder)) {
    const code = readFileSync(new URL(name, folder), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*/g, '');
    assert.doesNotMatch(code, /XMLHttpRequest|localStorage|sessionStorage|\bimport\s*\(|importScripts|\bwindow\b/, name);
  }
});

test('the first run after an enrolment fetches forms and rules before anything else', async () => {
  const server = new FakeServer();
  const tablet = makeTablet({ server });
  await tablet.enrol();
  server.requests.length = 0;
  assert.equal((await tablet.sync()).state, 'done');
  assert.match(server.requests[0].path, /\/reference$/);
  server.requests.length = 0;
  await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.sync();
  assert.ok(!/reference/.test(server.requests[0].path), 'later runs send first');
});

test('without a sign-in the first run still sends', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.store.replica.reset();
  server.personGood = false;
  assert.equal((await tablet.sync()).needs, 'sign_in');
  assert.equal(server.ops.size, 1);
});

test('an enrolment whose answer was lost is asked for again with the same key, and is the same device', async () => {
  const server = new FakeServer();
  const tablet = makeTablet({ server });
  server.between = async (request, answer) => {
    await answer();
    throw new TypeError('connection reset');
  };
  await assert.rejects(tablet.enrol());
  server.between = null;
  await (await tablet.reopened()).enrol();
  assert.equal(server.devices.size, 1);
  assert.equal((await tablet.sync()).state, 'done');
});
