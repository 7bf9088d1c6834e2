import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { enrolled, photoOf } from '../store/tablet.js';
import { FakeServer, problem, reply } from './server.js';

const MIB = 1024 * 1024;
const sha256 = (bytes) => createHash('sha256').update(Buffer.from(bytes)).digest('hex');
const preview = async (bytes) => new Uint8Array(bytes).slice(0, 1000).buffer;
const row = (tablet, id) => tablet.store.photos.row(id);

async function withPhoto(server, size, more = {}) {
  const tablet = await enrolled(server, more);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  const photo = photoOf(size);
  const photo_id = await tablet.addPhoto(id, photo);
  return { tablet, id, photo_id, photo };
}

test('a photo arrives byte for byte, its preview before it', async () => {
  const server = new FakeServer();
  const { tablet, photo_id, photo } = await withPhoto(server, 700_000, { preview });
  assert.equal((await tablet.sync()).state, 'done');
  assert.ok(server.blobs.get(sha256(photo.bytes)).equals(Buffer.from(photo.bytes)));
  const kinds = [...server.uploads.values()].map((upload) => upload.kind);
  assert.deepEqual(kinds, ['preview', 'original']);
  assert.equal((await row(tablet, photo_id)).state, 'stored');
  assert.equal((await tablet.store.status()).photos_waiting, 0);
});

test('an upload broken at any chunk goes on from there and sends no byte twice that arrived', async () => {
  for (let broken = 1; broken <= 5; broken++) {
    for (const moment of ['before', 'after']) {
      const server = new FakeServer();
      const { tablet, photo } = await withPhoto(server, 5 * 256 * 1024 - 7);
      let patches = 0;
      server.between = async (request, answer) => {
        if (request.method !== 'PATCH') return answer();
        patches += 1;
        if (patches !== broken) return answer();
        if (moment === 'after') await answer(); // the bytes arrived, the answer did not
        throw new TypeError('reset');
      };
      assert.equal((await tablet.sync()).state, 'done', `chunk ${broken}, broken ${moment}`);
      assert.ok(server.blobs.has(sha256(photo.bytes)), `chunk ${broken}, broken ${moment}`);
      assert.equal(server.received, photo.bytes.byteLength);
    }
  }
});

test('an upload goes on after the tablet was closed in the middle of it', async () => {
  const server = new FakeServer();
  const { tablet, photo } = await withPhoto(server, 3 * MIB);
  let patches = 0;
  server.between = async (request, answer) => {
    if (request.method === 'PATCH' && (patches += 1) > 2) throw new TypeError('no signal');
    return answer();
  };
  assert.equal((await tablet.sync()).state, 'offline');
  const arrived = [...server.uploads.values()][0].bytes.length;
  assert.ok(arrived >= 2 * 256 * 1024);
  const again = await tablet.reopened();
  const offsets = [];
  server.between = async (request, answer) => {
    if (request.method === 'PATCH') offsets.push(Number(request.headers.get('Upload-Offset')));
    return answer();
  };
  assert.equal((await again.sync()).state, 'done');
  assert.equal(offsets[0], arrived);
  assert.ok(server.blobs.has(sha256(photo.bytes)));
});

test('chunks grow from 256 KiB to 4 MiB on a good line', async () => {
  const server = new FakeServer();
  const { tablet } = await withPhoto(server, 30 * MIB);
  const sizes = [];
  server.between = async (request, answer) => {
    if (request.method === 'PATCH') sizes.push(request.body.byteLength / 1024);
    return answer();
  };
  assert.equal((await tablet.sync()).state, 'done');
  assert.deepEqual(sizes.slice(0, 13), [256, 256, 256, 512, 512, 512, 1024, 1024, 1024, 2048, 2048, 2048, 4096]);
  assert.equal(Math.max(...sizes), 4096);
});

test('413 for a chunk halves it until it fits', async () => {
  const server = new FakeServer();
  server.mostBytes = 100_000;
  const { tablet, photo } = await withPhoto(server, 400_000);
  assert.equal((await tablet.sync()).state, 'done');
  assert.ok(server.blobs.has(sha256(photo.bytes)));
});

test('a chunk that is damaged on the way is refused and sent again', async () => {
  const server = new FakeServer();
  const { tablet, photo } = await withPhoto(server, 400_000);
  let patches = 0;
  server.between = async (request, answer) => {
    if (request.method === 'PATCH' && (patches += 1) === 1) new Uint8Array(request.body)[5] ^= 1;
    return answer();
  };
  assert.equal((await tablet.sync()).state, 'done');
  assert.ok(server.blobs.has(sha256(photo.bytes)));
});

test('a photo that arrived wrong is sent once more, then set aside with a reason, and kept', async () => {
  const server = new FakeServer();
  const { tablet, photo_id, photo } = await withPhoto(server, 300_000);
  const finish = server.finish.bind(server);
  server.finish = (upload) => {
    upload.bytes = Buffer.concat([upload.bytes.subarray(1), Buffer.from([0])]);
    finish(upload);
  };
  await tablet.sync();
  assert.equal((await row(tablet, photo_id)).state, 'waiting');
  await tablet.sync();
  const after = await row(tablet, photo_id);
  assert.equal(after.state, 'set_aside');
  assert.match(after.why, /damaged twice/);
  assert.deepEqual(Buffer.from(await tablet.store.files.read(`photos/${photo_id}`)), Buffer.from(photo.bytes));
});

test('a photo that arrived wrong once is whole after the second time', async () => {
  const server = new FakeServer();
  const { tablet, photo_id, photo } = await withPhoto(server, 300_000);
  const finish = server.finish.bind(server);
  let times = 0;
  server.finish = (upload) => {
    if ((times += 1) === 1) upload.bytes = Buffer.alloc(upload.length);
    finish(upload);
  };
  await tablet.sync();
  await tablet.sync();
  assert.equal((await row(tablet, photo_id)).state, 'stored');
  assert.ok(server.blobs.has(sha256(photo.bytes)));
});

test('the original leaves the tablet at "durable" and not before; the preview stays', async () => {
  const server = new FakeServer();
  const { tablet, photo_id, id } = await withPhoto(server, 300_000, { preview });
  await tablet.sync();
  await tablet.sync();
  assert.ok(await tablet.store.files.read(`photos/${photo_id}`));
  server.photos.get(photo_id).state = 'durable';
  await tablet.sync();
  assert.equal((await row(tablet, photo_id)).state, 'durable');
  assert.equal(await tablet.store.files.read(`photos/${photo_id}`), null);
  assert.equal((await tablet.photo(id, photo_id)).size, 1000);
});

test('a photo the server says it holds under another hash is not counted as sent', async () => {
  const server = new FakeServer();
  const { tablet, photo_id } = await withPhoto(server, 300_000);
  const finish = server.finish.bind(server);
  server.finish = (upload) => {
    finish(upload);
    server.photos.set(upload.photo_id, { state: 'stored', sha256: 'f'.repeat(64) });
  };
  await tablet.sync();
  assert.equal((await row(tablet, photo_id)).state, 'waiting');
});

test('bytes that changed on the tablet are noticed before they are sent', async () => {
  const server = new FakeServer();
  const { tablet, photo_id } = await withPhoto(server, 300_000);
  await tablet.store.files.write(`photos/${photo_id}`, new Uint8Array(300_000).buffer);
  assert.equal((await tablet.sync()).state, 'done');
  const after = await row(tablet, photo_id);
  assert.equal(after.state, 'set_aside');
  assert.match(after.why, /bytes changed/);
  assert.equal(server.uploads.size, 0);
});

test('one photo that is refused does not stop the others', async () => {
  const server = new FakeServer();
  const { tablet, id, photo_id } = await withPhoto(server, 300_000);
  const second = await tablet.addPhoto(id, photoOf(200_000, 2));
  server.between = async (request, answer) => (request.method === 'POST' && request.path === '/api/v1/files'
    && request.headers.get('Upload-Metadata').includes(btoa(photo_id)) ? problem(413, 'Photos over 100 MB are not taken.') : answer());
  assert.equal((await tablet.sync()).state, 'done');
  assert.deepEqual([(await row(tablet, photo_id)).state, (await row(tablet, photo_id)).why], ['set_aside', 'Photos over 100 MB are not taken.']);
  assert.equal((await row(tablet, second)).state, 'stored');
});

test('records go before the photos and again before every 20th', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  for (let i = 0; i < 45; i++) await tablet.addPhoto(id, photoOf(500, i));
  let photos = 0;
  const pulls = [];
  server.between = async (request, answer) => {
    if (request.method === 'PATCH') photos += 1;
    if (request.path.startsWith('/api/v1/changes')) pulls.push(photos);
    return answer();
  };
  await tablet.sync();
  assert.deepEqual(pulls, [0, 20, 40, 45]);
});

test('an upload the server has forgotten is begun again', async () => {
  const server = new FakeServer();
  const { tablet, photo } = await withPhoto(server, 2 * MIB);
  let patches = 0;
  server.between = async (request, answer) => {
    if (request.method === 'PATCH' && (patches += 1) === 3) server.uploads.clear();
    return answer();
  };
  assert.equal((await tablet.sync()).state, 'done');
  assert.ok(server.blobs.has(sha256(photo.bytes)));
});

test('a server that is full says so, and the queue stays', async () => {
  const server = new FakeServer();
  const { tablet, photo_id } = await withPhoto(server, 300_000);
  server.between = async (request, answer) => (request.method === 'PATCH' ? reply(507, { detail: 'The disk is full.' }) : answer());
  assert.equal((await tablet.sync()).state, 'offline');
  assert.equal((await row(tablet, photo_id)).state, 'waiting');
  assert.equal(server.ops.size, 2, 'the words arrived all the same');
});

test('on a line that is not for large files only previews go, and a press sends the originals all the same', async () => {
  const server = new FakeServer();
  let isWifi = false;
  const tablet = await enrolled(server, { originals: () => isWifi, preview: async () => new Uint8Array(700).buffer });
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.addPhoto(id, photoOf(300_000, 1));
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal(server.ops.size, 2);
  assert.deepEqual([...server.blobs.values()].map((bytes) => bytes.length), [700]);
  let status = await tablet.store.status();
  assert.deepEqual([status.photos_waiting, status.bytes_waiting, status.originals_held], [1, 300_000, true]);
  await tablet.sync({ all: true });
  assert.equal((await tablet.store.status()).photos_waiting, 0);
  await tablet.addPhoto(id, photoOf(300_000, 2));
  isWifi = true;
  await tablet.sync();
  status = await tablet.store.status();
  assert.deepEqual([status.photos_waiting, status.originals_held], [0, false]);
});

test('the screen stays on while something is sent, and no longer; where that is refused it is sent all the same', async () => {
  const server = new FakeServer();
  const said = [];
  const tablet = await enrolled(server, { awake: async () => { said.push('on'); return { release: async () => { said.push('off'); } }; } });
  assert.deepEqual(said, [], 'nothing was waiting');
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  server.between = async (request, answer) => { said.push(request.path.split('/').at(-1).slice(0, 3)); return answer(); };
  await tablet.sync();
  assert.deepEqual([said[0], said.at(-1)], ['on', 'off']);
  server.between = async () => { throw new TypeError('no signal'); };
  await tablet.addRow(id, 'notes', { note: 'x' });
  await tablet.sync();
  assert.equal(said.at(-1), 'off');
  server.between = null;
  const refused = await tablet.reopened({ awake: async () => { throw new DOMException('hidden', 'NotAllowedError'); } });
  assert.equal((await refused.sync()).state, 'done');
});

test('a photo that the server fails at every time holds up none behind it', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  const ids = [];
  for (let i = 0; i < 3; i++) ids.push(await tablet.addPhoto(id, photoOf(1000, i)));
  const bad = (await row(tablet, ids[0])).sha256;
  server.between = async (request, answer) => {
    const told = request.headers.get('Upload-Metadata') ?? '';
    if (request.method === 'POST' && told.includes(btoa(bad))) return problem(500, 'Something went wrong here.');
    return answer();
  };
  assert.equal((await tablet.sync()).state, 'offline');
  assert.deepEqual(await Promise.all(ids.map(async (one) => (await row(tablet, one)).state)), ['waiting', 'stored', 'stored']);
  server.between = null;
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal((await row(tablet, ids[0])).state, 'stored');
});
