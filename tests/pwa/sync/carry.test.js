import assert from 'node:assert/strict';
import { test } from 'node:test';

import { makeCarried } from '../../../inspect_app/static/pwa/store/carried.js';
import { enrolled, measure, photoOf } from '../store/tablet.js';
import { FakeServer } from './server.js';

const fileOf = ({ name, blob }) => new File([blob], name);

/** A tablet with a visit and two photos that it cannot send, and the file of them. */
async function stuck(server) {
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: '14 Main Street' });
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  await tablet.commit(id, 'tap_geometry');
  const photos = [await tablet.addPhoto(id, photoOf(3000, 1)), await tablet.addPhoto(id, photoOf(5000, 2))];
  return { tablet, id, photos, file: fileOf(await tablet.store.exportUnsent()) };
}

test('another tablet sends a file under the numbers, names and photo ids of the first', async () => {
  const server = new FakeServer();
  const { tablet, id, photos, file } = await stuck(server);
  const other = await enrolled(server);
  const taken = await makeCarried({ store: other.store }).take(file);
  assert.deepEqual([taken.ops, taken.photos], [4, 2]);
  assert.equal((await other.store.status()).photos_waiting, 0, 'it is not the work of whoever carries it');
  assert.equal((await other.sync()).state, 'done');
  const device_id = (await tablet.store.queue.device()).device_id;
  assert.deepEqual([...server.ops.values()].map((op) => [op.device_id, op.seq]), [1, 2, 3, 4].map((seq) => [device_id, seq]));
  assert.deepEqual(photos.map((photo_id) => server.photos.get(photo_id).state), ['stored', 'stored']);
  const [carried] = (await other.store.status()).carried;
  assert.deepEqual([carried.next, carried.photos_sent, carried.counts], [4, 2, { applied: 4 }]);
  // The first tablet finds a signal after all: nothing is doubled.
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal(server.ops.size, 4);
  assert.equal(server.records.get(id).doc.photos.length, 2);
  await makeCarried({ store: other.store }).drop(carried.id);
  assert.deepEqual((await other.store.status()).carried, []);
});

test('a file is taken without a signal, and sending goes on where it was cut off', async () => {
  const server = new FakeServer();
  const { file } = await stuck(server);
  const other = await enrolled(server);
  server.between = async () => { throw new TypeError('no signal'); };
  await makeCarried({ store: other.store }).take(file);
  await other.sync();
  const again = await other.reopened();
  let answers = 0;
  server.between = async (request, answer) => {
    const response = await answer();
    if (request.path === '/api/v1/ops/carried' && (answers += 1) === 1) throw new TypeError('the answer is lost');
    return response;
  };
  await again.sync();
  await again.sync();
  assert.equal(server.ops.size, 4);
  assert.equal(server.blobs.size, 2);
});

test('what does not follow, or cannot be read, is kept by the office as it is, and the rest goes on', async () => {
  const server = new FakeServer();
  const { tablet } = await stuck(server);
  await tablet.sync();
  const id = (await tablet.inspections())[0].id;
  await tablet.addRow(id, 'notes', { note: 'five' });
  await tablet.addRow(id, 'notes', { note: 'six' });
  const file = fileOf(await tablet.store.exportUnsent());
  server.devices.get((await tablet.store.queue.device()).device_id).last_seq = 3; // it lost one since
  const other = await enrolled(server);
  await makeCarried({ store: other.store }).take(file);
  assert.equal((await other.sync()).state, 'done');
  assert.equal(server.raw.length, 2);
  assert.match(server.raw[1], /six/);
  assert.deepEqual((await other.store.status()).carried[0].counts, { raw: 2 });
});

test('a server that knows nothing of carrying keeps each line', async () => {
  const server = new FakeServer();
  const { file } = await stuck(server);
  const other = await enrolled(server);
  server.carried = async () => new Response('{}', { status: 404, headers: { 'X-Sync': '1', 'Content-Type': 'application/json' } });
  await makeCarried({ store: other.store }).take(file);
  await other.sync();
  assert.equal(server.raw.length, 4);
});

test('a file that is damaged, cut short or something else is refused whole', async () => {
  const server = new FakeServer();
  const { file } = await stuck(server);
  const other = await enrolled(server);
  const { take } = makeCarried({ store: other.store });
  const bytes = new Uint8Array(await file.arrayBuffer());
  await assert.rejects(take(new File([bytes.slice(0, -30)], 'cut.zip')), /not whole/);
  await assert.rejects(take(new File(['hello'], 'hello.txt')), /not a file of unsent work/);
  await assert.rejects(take(new File([], 'empty.zip')), /not a file of unsent work/);
  const photo = photoOf(5000, 2).bytes;
  const at = Buffer.from(bytes).indexOf(Buffer.from(photo).subarray(0, 200));
  bytes[at + 100] ^= 1;
  await assert.rejects(take(new File([bytes], 'damaged.zip')), /damaged/);
  assert.deepEqual((await other.store.status()).carried, []);
});
