import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { openOutbox } from '../../../inspect_app/static/pwa/store/database.js';
import { localInstant } from '../../../inspect_app/static/pwa/store/journal.js';
import { uuidv7 } from '../../../inspect_app/static/pwa/store/uuid.js';
import { FakeServer } from '../sync/server.js';
import { enrolled, makeTablet, measure } from './tablet.js';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const bodies = async (tablet) => (await tablet.ops()).map((op) => JSON.parse(op.envelope.body));

test('two tabs writing at once number their ops without a hole and chain every one to the one before', async () => {
  const one = await enrolled(new FakeServer());
  const two = makeTablet({ name: one.name, locks: one.locks, clock: one.clock });
  const id = await one.begin({ protocol: 'tap', place: 'x' });
  await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).addRow(id, 'notes', { note: String(i) })));
  const ops = await one.ops();
  assert.deepEqual(ops.map((op) => op.seq), Array.from({ length: 41 }, (_, i) => i + 1));
  const all = await bodies(one);
  all.forEach((body, i) => assert.equal(body.prev, i ? sha256(ops[i - 1].envelope.body) : ''));
  assert.equal(new Set(all.map((body) => body.op_id)).size, 41);
  assert.equal((await one.inspection(id)).doc.lists.notes.length, 40);
});

test('content keeps its exact bytes: hash and signature are over the text as it is sent', async () => {
  const tablet = await enrolled(new FakeServer());
  const id = await tablet.begin({ protocol: 'tap', place: 'Żółwą ß 箸 "quoted" \\ 🚧' });
  const [op] = await tablet.ops();
  assert.equal(op.hash, sha256(op.envelope.body));
  assert.equal((await tablet.inspection(id)).doc.place, 'Żółwą ß 箸 "quoted" \\ 🚧');
});

test('half an emoji and the character zero are replaced before they are signed', async () => {
  const tablet = await enrolled(new FakeServer());
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.addRow(id, 'notes', { note: 'cut \ud83d here\u0000, whole 🚧' });
  const note = (await tablet.inspection(id)).doc.lists.notes[0].row.note;
  assert.equal(note, 'cut \ufffd here\ufffd, whole 🚧');
});

test('what goes with an op is written with it or not at all', async () => {
  const tablet = await enrolled(new FakeServer());
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  const before = (await tablet.ops()).length;
  await assert.rejects(tablet.store.journal.append(async () => ({
    entries: [{ kind: 'list.add', record_id: id, own: { list: 'notes', row_id: 'r', row: {} } }],
    apply: async () => { throw new Error('pulled the plug'); },
  })), /pulled the plug/);
  assert.equal((await tablet.ops()).length, before);
  assert.equal((await tablet.store.queue.device()).last_seq, before);
  await tablet.addRow(id, 'notes', { note: 'goes on' });
  assert.equal((await tablet.ops()).at(-1).seq, before + 1);
});

test('a tablet that is not enrolled records nothing and says why', async () => {
  const tablet = makeTablet();
  await assert.rejects(tablet.addRow('r', 'notes', {}), /not enrolled/);
});

test('the private key cannot be taken out of the database', async () => {
  const tablet = await enrolled(new FakeServer());
  const pair = await tablet.store.outbox.read(['keys'], (tx) => tx.objectStore('keys').get('device'));
  assert.equal(pair.privateKey.extractable, false);
  await assert.rejects(crypto.subtle.exportKey('jwk', pair.privateKey), { name: /^InvalidAccess/ });
});

test('a lost answer to an enrolment is asked for again with the same key', async () => {
  const tablet = makeTablet();
  assert.deepEqual(await tablet.store.keys.prepare(), await tablet.store.keys.prepare());
});

test('the outbox is opened again when the system took its connection away', async () => {
  const tablet = await enrolled(new FakeServer());
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.store.outbox.close();
  await tablet.addRow(id, 'notes', { note: 'after the sleep' });
  assert.equal((await tablet.inspection(id)).doc.lists.notes.length, 1);
});

test('a full disk is told in words and leaves everything that was kept', async () => {
  const outbox = openOutbox('full-outbox');
  await outbox.write(['meta'], (tx) => tx.objectStore('meta').put('kept', 'a'));
  await assert.rejects(outbox.write(['meta'], async (tx) => {
    await tx.objectStore('meta').put('half', 'b');
    throw new DOMException('full', 'QuotaExceededError');
  }), (problem) => problem.name === 'NotKept' && /no space left/.test(problem.message));
  assert.equal(await outbox.read(['meta'], (tx) => tx.objectStore('meta').get('a')), 'kept');
  assert.equal(await outbox.read(['meta'], (tx) => tx.objectStore('meta').get('b')), undefined);
});

test('ids rise even when the clock goes back, and are version 7', () => {
  const ids = [uuidv7(1_800_000_000_000)];
  for (let i = 0; i < 5000; i++) ids.push(uuidv7(i % 2 ? 0 : 1_700_000_000_000));
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)));
});

test('an instant is written with the offset of the place and reads back as itself', () => {
  for (const ms of [0, Date.UTC(2026, 5, 3, 14, 12, 33, 120), Date.UTC(2026, 10, 1, 7, 30)]) {
    assert.match(localInstant(ms), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
    assert.equal(Date.parse(localInstant(ms)), ms);
  }
});

test('old ops leave the tablet after 30 days, and only those that came back', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.sync();
  tablet.clock.at += 31 * 24 * 3600_000;
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  await tablet.commit(id, 'tap_geometry');
  server.personGood = false; // sent, but not pulled
  await tablet.sync();
  assert.deepEqual((await tablet.ops()).map((op) => op.kind), ['group.set']);
  assert.ok((await tablet.inspection(id)).doc.groups.tap_geometry);
});
