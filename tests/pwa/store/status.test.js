import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FakeServer } from '../sync/server.js';
import { contentOf } from '../../../inspect_app/static/pwa/store/journal.js';
import { MemoryDirectory } from './directory.js';
import { enrolled, makeTablet, photoOf } from './tablet.js';

const GB = 1024 ** 3;
const storage = (persisted, usage, quota) => ({ persisted: async () => persisted, persist: async () => persisted, estimate: async () => ({ usage, quota }) });

test('the header has what it needs: how many wait, since when, how many bytes', async () => {
  const tablet = await enrolled(new FakeServer());
  const began = tablet.clock.at;
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  tablet.clock.at += 60_000;
  await tablet.addPhoto(id, photoOf(5000));
  const status = await tablet.store.status();
  assert.deepEqual([status.waiting, status.waiting_since, status.photos_waiting, status.bytes_waiting], [2, began, 1, 5000]);
});

test('storage that is not protected stops capturing unless the village allows it, and says so either way', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server, { storage: storage(false, 0, 100 * GB) });
  let status = await tablet.store.status();
  assert.deepEqual([status.persisted, status.may_capture], [false, true]);
  assert.match(status.storage_warning, /not protected/);
  server.reference = { ...server.reference, village: { ...server.reference.village, allow_unprotected_storage: false } };
  await tablet.sync();
  status = await tablet.store.status();
  assert.equal(status.may_capture, false);
  assert.match(status.capture_refusal, /Install the app/);
  await assert.rejects(tablet.begin({ protocol: 'tap', place: 'x' }), /Install the app/);
});

test('protected storage with room is quiet', async () => {
  const tablet = await enrolled(new FakeServer(), { storage: storage(true, 1 * GB, 100 * GB) });
  const status = await tablet.store.status();
  assert.deepEqual([status.persisted, status.may_capture, status.storage_warning], [true, true, null]);
});

test('80 % of the quota warns, less than 2 GB free stops capturing', async () => {
  let tablet = await enrolled(new FakeServer(), { storage: storage(true, 80 * GB, 100 * GB) });
  let status = await tablet.store.status();
  assert.match(status.storage_warning, /80 % full/);
  assert.equal(status.may_capture, true);
  tablet = await enrolled(new FakeServer(), { storage: storage(true, 98.5 * GB, 100 * GB) });
  status = await tablet.store.status();
  assert.equal(status.may_capture, false);
  assert.match(status.capture_refusal, /2 GB/);
});

test('a browser without a storage manager is treated as unprotected', async () => {
  const status = await makeTablet().store.status();
  assert.deepEqual([status.persisted, status.quota_used, status.may_capture], [false, null, false]);
});

test('a database that came back empty is noticed at the next start', async () => {
  const root = new MemoryDirectory();
  const server = new FakeServer();
  const tablet = await enrolled(server, { directory: async () => root });
  await tablet.addPhoto(await tablet.begin({ protocol: 'tap', place: 'x' }), photoOf(5000));
  await tablet.store.photos.settled();
  await (await tablet.store.start()).marked;
  assert.equal((await tablet.store.status()).loss, null);
  const emptied = makeTablet({ server, directory: async () => root }); // the same file system beside a new database
  const { loss } = await emptied.store.status();
  assert.match(loss, /2 not sent/);
  await emptied.enrol('GOOD000002');
  assert.equal((await emptied.store.status()).loss, null);
  const [note] = await emptied.ops();
  assert.equal(note.kind, 'device.note', 'the office hears of it');
  const { data, text } = contentOf(note);
  const lost = (await tablet.store.queue.device()).device_id;
  assert.deepEqual(data, { device_id: lost, lost_ops: 2, lost_photos: 1, lost_bytes: 5000 });
  assert.match(text, /2 not sent, 1 photo among it/);
});

test('a failed sync leaves the time of the last full one alone', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const last = (await tablet.store.status()).last_full_sync;
  assert.equal(typeof last, 'number');
  tablet.clock.at += 3600_000;
  server.between = async () => { throw new TypeError('no signal'); };
  await tablet.sync();
  const status = await tablet.store.status();
  assert.deepEqual([status.last_full_sync, status.online, status.state], [last, false, 'offline']);
});

test('status hears of changes', async () => {
  const tablet = await enrolled(new FakeServer());
  let heard = 0;
  const stop = tablet.store.onStatus(() => { heard += 1; });
  await tablet.begin({ protocol: 'tap', place: 'x' });
  stop();
  assert.ok(heard >= 1);
});
