import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { FakeServer } from '../sync/server.js';
import { MemoryDirectory } from './directory.js';
import { enrolled, photoOf } from './tablet.js';

const sha256 = (bytes) => createHash('sha256').update(Buffer.from(bytes)).digest('hex');
const preview = async (bytes) => new Uint8Array(bytes).slice(0, 10).buffer;

async function visit(more = {}) {
  const tablet = await enrolled(new FakeServer(), more);
  return { tablet, id: await tablet.begin({ protocol: 'tap', place: 'x' }) };
}

for (const where of ['the private file system', 'the database']) {
  const directory = where === 'the database' ? undefined : () => {
    const root = new MemoryDirectory();
    return async () => root;
  };
  test(`a photo is kept byte for byte in ${where}, hashed as it was captured`, async () => {
    const { tablet, id } = await visit({ directory: directory?.(), preview });
    const photo = photoOf(5000);
    const photo_id = await tablet.addPhoto(id, photo);
    assert.deepEqual(Buffer.from(await tablet.store.files.read(`photos/${photo_id}`)), Buffer.from(photo.bytes));
    const [shown] = (await tablet.inspection(id)).doc.photos;
    assert.deepEqual([shown.photo_id, shown.sha256, shown.bytes, shown.row.shows], [photo_id, sha256(photo.bytes), 5000, 'tape_at_joint']);
    assert.equal((await tablet.photo(id, photo_id)).size, 10);
    const again = await tablet.reopened();
    assert.equal((await again.store.photos.row(photo_id)).preview.state, 'waiting');
  });
}

test('a photo without room is refused in words; what was kept before stays and more can be typed', async () => {
  const root = new MemoryDirectory();
  const { tablet, id } = await visit({ directory: async () => root });
  const kept = await tablet.addPhoto(id, photoOf(1000));
  root.full = true;
  await assert.rejects(tablet.addPhoto(id, photoOf(2000)), (problem) => problem.name === 'NotKept' && /no space left/.test(problem.message));
  await tablet.addRow(id, 'notes', { note: 'still works' });
  const { doc } = await tablet.inspection(id);
  assert.deepEqual([doc.photos.map((photo) => photo.photo_id), doc.lists.notes.length], [[kept], 1]);
  assert.deepEqual(await tablet.store.files.list('photos'), [kept]);
});

test('an empty photo, one of a foreign type and one too large are refused at capture', async () => {
  const { tablet, id } = await visit();
  await assert.rejects(tablet.addPhoto(id, { ...photoOf(1), bytes: new ArrayBuffer(0) }), /empty/);
  await assert.rejects(tablet.addPhoto(id, { ...photoOf(10), mime: 'application/pdf' }), /not a photo/);
  await assert.rejects(tablet.addPhoto(id, { ...photoOf(10), bytes: new ArrayBuffer(41 * 1024 * 1024) }), /larger than 40 MB/);
  assert.equal((await tablet.ops()).length, 1);
});

test('a preview that could not be made leaves the photo; one that was cut off is made at the next start', async () => {
  let works = false;
  const { tablet, id } = await visit({ preview: async () => { if (!works) throw new Error('cannot decode'); return new ArrayBuffer(3); } });
  const photo_id = await tablet.addPhoto(id, photoOf(100));
  assert.equal((await tablet.photo(id, photo_id)).size, 100);
  await tablet.store.photos.settled();
  await tablet.store.photos.update(photo_id, ({ no_preview, ...now }) => now); // the page died before it was tried
  works = true;
  const again = await tablet.reopened();
  await (await again.store.start()).previews;
  assert.equal((await again.photo(id, photo_id)).size, 3);
});

test('what a village has burnt in goes into the preview, also when it is made later, and never into the photo', async () => {
  const asked = [];
  let works = false;
  const { tablet, id } = await visit({ preview: async (bytes, mime, lines) => { asked.push(lines); if (!works) throw new Error('closed'); return new ArrayBuffer(3); } });
  const lines = ['T-117, Lot 9', 'Tape at joint, 270-22* B', '2026-06-03 09:00, no position'];
  const photo = photoOf(100);
  const photo_id = await tablet.addPhoto(id, { ...photo, lines, clause: '270-22* B' });
  await tablet.store.photos.settled();
  await tablet.store.photos.update(photo_id, ({ no_preview, ...now }) => now);
  works = true;
  const again = await tablet.reopened();
  await (await again.store.start()).previews;
  assert.deepEqual(asked, [lines, lines]);
  const [kept] = (await again.inspection(id)).doc.photos;
  assert.equal(kept.sha256, sha256(photo.bytes));
  assert.equal(kept.row.clause, '270-22* B');
  assert.equal('lines' in kept.row, false);
});

test('a photo that a village had made smaller says from what, and its hash is of what was kept', async () => {
  const { tablet, id } = await visit();
  const small = photoOf(70);
  await tablet.addPhoto(id, { ...small, shrunk_from: { bytes: 4_000_000, width: 4032, height: 3024 } });
  const [kept] = (await tablet.inspection(id)).doc.photos;
  assert.deepEqual([kept.sha256, kept.bytes, kept.row.shrunk_from.width], [sha256(small.bytes), 70, 4032]);
});

test('previews are made one at a time', async () => {
  let at = 0;
  let most = 0;
  const { tablet, id } = await visit({ preview: async () => {
    most = Math.max(most, (at += 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    at -= 1;
    return new ArrayBuffer(3);
  } });
  await Promise.all([1, 2, 3, 4].map((seed) => tablet.addPhoto(id, photoOf(100, seed))));
  await tablet.store.photos.settled();
  assert.equal(most, 1);
});

test('two photos of the same bytes are two photos', async () => {
  const { tablet, id } = await visit();
  const one = await tablet.addPhoto(id, photoOf(100));
  const two = await tablet.addPhoto(id, photoOf(100));
  assert.notEqual(one, two);
  assert.equal((await tablet.inspection(id)).doc.photos.length, 2);
});

test('the second copy of the journal holds every op, and can be read without the database', async () => {
  const root = new MemoryDirectory();
  const { tablet, id } = await visit({ directory: async () => root });
  await Promise.all([1, 2, 3].map((n) => tablet.addRow(id, 'notes', { note: `n${n}` })));
  const lines = (await (await tablet.store.exportJournalCopy()).text()).trim().split('\n').map((line) => JSON.parse(line));
  const ops = await tablet.ops();
  assert.deepEqual(lines.map((line) => line.body), ops.map((op) => op.envelope.body));
});

test('the second copy keeps 30 days, and longer what was never sent', async () => {
  const root = new MemoryDirectory();
  const server = new FakeServer();
  const tablet = await enrolled(server, { directory: async () => root });
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.sync();
  tablet.clock.at += 31 * 24 * 3600_000;
  await tablet.addRow(id, 'notes', { note: 'a month later' });
  await tablet.sync();
  assert.deepEqual(await tablet.store.files.list('journal'), ['2026-07-04.jsonl']);
  await tablet.addRow(id, 'notes', { note: 'not sent' });
  tablet.clock.at += 31 * 24 * 3600_000;
  await tablet.store.prune();
  assert.deepEqual(await tablet.store.files.list('journal'), ['2026-07-04.jsonl']);
});

test('everything unsent goes into one zip with its photos', async () => {
  const { tablet, id } = await visit();
  const photo = photoOf(300);
  await tablet.addPhoto(id, photo);
  const { name, blob, ops, photos } = await tablet.store.exportUnsent();
  assert.equal(name, 'unsent-2026-06-03.zip');
  assert.deepEqual([ops, photos], [2, 1]);
  const bytes = Buffer.from(await blob.arrayBuffer());
  assert.ok(bytes.includes(Buffer.from(photo.bytes)));
  assert.ok(bytes.includes(Buffer.from(`photos/${sha256(photo.bytes)}.jpeg`)));
  assert.ok(bytes.includes(Buffer.from(JSON.stringify((await tablet.ops())[0].envelope))));
});
