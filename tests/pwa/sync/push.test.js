import assert from 'node:assert/strict';
import { test } from 'node:test';

import { enrolled, makeTablet, measure, photoOf } from '../store/tablet.js';
import { FakeServer, reply } from './server.js';

/** A visit with one group, committed. */
async function visit(tablet, up = '7') {
  const id = await tablet.begin({ protocol: 'tap', place: '14 Main Street' });
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure(up) });
  await tablet.commit(id, 'tap_geometry');
  return id;
}

test('what is recorded offline arrives exactly once and leaves nothing waiting', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await visit(tablet);
  assert.equal((await tablet.store.status()).waiting, 2);
  assert.deepEqual(await tablet.sync(), { state: 'done' });
  assert.equal((await tablet.store.status()).waiting, 0);
  assert.equal(server.ops.size, 2);
  assert.deepEqual(server.records.get(id).doc.groups.tap_geometry.values, { joint_distance_up: measure('7') });
  assert.equal((await tablet.inspection(id)).doc.number, 'T-1');
});

test('every op carries its number, the hash before it and a signature the server can verify', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await visit(tablet);
  await visit(tablet);
  await tablet.sync();
  assert.deepEqual([...server.ops.values()].map((op) => op.seq), [1, 2, 3, 4]);
  assert.ok([...server.ops.values()].every((op) => op.result.status === 'applied'));
});

test('an answer that is lost on the way is asked for again and changes nothing', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await visit(tablet);
  server.between = async (request, answer) => {
    const response = await answer();
    if (request.path === '/api/v1/ops') throw new TypeError('connection reset');
    return response;
  };
  assert.equal((await tablet.sync()).state, 'offline');
  assert.equal((await tablet.store.status()).waiting, 2);
  server.between = null;
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal(server.ops.size, 2);
  assert.equal(server.records.get(id).rev, 2);
});

test('a crash between the answer and the disk is a replay, and the replay is harmless', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await visit(tablet);
  const head = await tablet.store.queue.device();
  await tablet.sync();
  // As if the acknowledgement had never reached the disk.
  await tablet.store.queue.changeHead(() => ({ acknowledged: head.acknowledged }));
  const again = await tablet.reopened();
  assert.equal((await again.store.status()).waiting, 2);
  assert.equal((await again.sync()).state, 'done');
  assert.equal(server.ops.size, 2);
});

test('a captive portal that answers 200 with a page is no answer', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await visit(tablet);
  server.between = async () => new Response('<html>Welcome to the hotel</html>', { status: 200, headers: { 'Content-Type': 'text/html' } });
  const outcome = await tablet.sync();
  assert.equal(outcome.state, 'offline');
  assert.match(outcome.reason, /sign-in page/);
  assert.equal((await tablet.store.status()).waiting, 2);
  assert.equal((await tablet.store.status()).online, false);
});

test('a page of another proxy that even says JSON, and one that is cut off, are no answers', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await visit(tablet);
  server.between = async () => new Response('{"results":[]}', { status: 200, headers: { 'Content-Type': 'application/json' } });
  assert.equal((await tablet.sync()).state, 'offline');
  server.between = async (request, answer) => {
    const response = await answer();
    if (request.path !== '/api/v1/ops') return response;
    return new Response((await response.text()).slice(0, 40), { status: 200, headers: response.headers });
  };
  assert.equal((await tablet.sync()).state, 'offline');
  server.between = null;
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal(server.ops.size, 2);
});

test('a request never follows a redirect, sends no cookie and ends in time', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const seen = [];
  server.between = async (request, answer) => {
    seen.push(request.init);
    return answer();
  };
  await visit(tablet);
  await tablet.sync();
  assert.ok(seen.length >= 3);
  for (const init of seen) {
    assert.equal(init.redirect, 'error');
    assert.equal(init.credentials, 'omit');
    assert.ok(init.signal instanceof AbortSignal);
  }
});

test('a token that ends in mid-queue is renewed by the key alone, without a person', async () => {
  const server = new FakeServer();
  server.mostOps = 1;
  const tablet = await enrolled(server);
  await visit(tablet);
  await visit(tablet);
  server.personGood = false;
  let pushes = 0;
  server.between = async (request, answer) => {
    if (request.path === '/api/v1/ops' && (pushes += 1) === 4) {
      for (const [token, { scope }] of server.tokens) if (scope !== 'pull') server.tokens.delete(token);
    }
    return answer();
  };
  const outcome = await tablet.sync();
  assert.equal(server.ops.size, 4);
  assert.deepEqual([outcome.state, outcome.needs], ['needs_you', 'sign_in']);
  assert.equal((await tablet.store.status()).waiting, 0);
});

test('a device the server does not know any more keeps its queue and says what to do', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await visit(tablet);
  server.devices.clear();
  server.tokens.clear();
  const outcome = await (await tablet.reopened()).sync();
  assert.deepEqual([outcome.state, outcome.needs], ['needs_you', 'enrol_again']);
  const status = await tablet.store.status();
  assert.deepEqual([status.state, status.waiting], ['needs_you', 2]);
  assert.match(status.reason, /Everything is kept here/);
});

test('413 halves the batch until it fits', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  for (let i = 0; i < 6; i++) await visit(tablet);
  server.mostOps = 3;
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal(server.ops.size, 12);
});

/** One op in the middle of the queue that no batch takes. */
async function poisoned(server) {
  const tablet = await enrolled(server);
  const first = await visit(tablet);
  await tablet.addRow(first, 'notes', { note: 'POISON' });
  const second = await visit(tablet, '8');
  server.refuses = (content) => content.row?.note === 'POISON';
  return { tablet, second };
}

test('a poisoned op is found by halving and put where a person looks, and those behind it follow on', async () => {
  const server = new FakeServer();
  const { tablet, second } = await poisoned(server);
  assert.deepEqual(await tablet.sync(), { state: 'done' });
  assert.equal(server.raw.length, 1);
  assert.match(server.raw[0], /POISON/);
  const status = await tablet.store.status();
  assert.deepEqual([status.waiting, status.state], [0, 'needs_you']);
  assert.deepEqual(status.set_aside.map((op) => op.status), ['raw']);
  assert.deepEqual(server.records.get(second).doc.groups.tap_geometry.values, { joint_distance_up: measure('8') });
  assert.equal(server.ops.size, 4);
  assert.equal(server.devices.size, 1);
});

test('an op longer than even the last resort takes is sent cut and stays whole on the tablet', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await visit(tablet);
  const note = `POISON ${'x'.repeat(1_200_000)}`;
  await tablet.addRow(id, 'notes', { note });
  await tablet.addRow(id, 'notes', { note: 'short' });
  server.refuses = (content) => content.row?.note?.startsWith('POISON');
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal(server.raw[0].length, 1024 * 1024);
  assert.deepEqual((await tablet.store.status()).set_aside.map((op) => op.content.row.note), [note]);
  assert.deepEqual(server.records.get(id).doc.lists.notes.map((row) => row.row.note), ['short']);
});

test('where the last resort takes no number, the next enrolment sends the rest', async () => {
  const server = new FakeServer();
  server.rawTakesNoNumber = true;
  const { tablet, second } = await poisoned(server);
  assert.equal((await tablet.sync()).needs, 'enrol_again');
  await tablet.enrol('GOOD000002');
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal((await tablet.store.status()).waiting, 0);
  assert.deepEqual(server.records.get(second).doc.groups.tap_geometry.values, { joint_distance_up: measure('8') });
  assert.equal(server.ops.size, 4);
});

test('an op that is set aside by the server does not hold up those behind it', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await visit(tablet);
  await tablet.addRow(id, 'notes', { note: 'from a newer app' });
  await tablet.addRow(id, 'notes', { note: 'plain' });
  server.quarantine = (content) => (content.row?.note === 'from a newer app' ? 'schema_unknown' : null);
  assert.equal((await tablet.sync()).state, 'done');
  const status = await tablet.store.status();
  assert.equal(status.waiting, 0);
  assert.equal(status.state, 'needs_you');
  assert.deepEqual(status.set_aside.map((op) => [op.kind, op.reason, op.content.row.note]), [['list.add', 'schema_unknown', 'from a newer app']]);
  assert.deepEqual(server.records.get(id).doc.lists.notes.map((row) => row.row.note), ['plain']);
});

test('503 waits as long as the server asks and loses nothing', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await visit(tablet);
  server.between = async (request, answer) => (request.path === '/api/v1/ops'
    ? reply(503, { detail: 'busy' }, { 'Retry-After': '42' }) : answer());
  assert.deepEqual(await tablet.sync(), { state: 'offline', reason: 'The office is busy and will be asked again.', retry_ms: 42_000 });
  server.between = null;
  assert.equal((await tablet.sync()).state, 'done');
});

test('a revoked device is still heard, into quarantine, and reads nothing', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await visit(tablet);
  for (const device of server.devices.values()) device.revoked = true;
  const outcome = await tablet.sync();
  assert.deepEqual([outcome.state, outcome.needs], ['needs_you', 'revoked']);
  const status = await tablet.store.status();
  assert.equal(status.waiting, 0);
  assert.deepEqual(status.set_aside.map((op) => op.reason), ['device_revoked', 'device_revoked']);
  assert.ok((await tablet.inspection(id)).doc.groups.tap_geometry, 'still on the tablet');
});

test('a revoked device whose sign-in was ended too is not asked to sign in', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  for (const device of server.devices.values()) device.revoked = true;
  for (const [token, { scope }] of server.tokens) if (scope === 'pull') server.tokens.delete(token);
  await visit(tablet);
  assert.equal((await tablet.sync()).needs, 'revoked');
  assert.equal((await tablet.sync()).needs, 'revoked');
  for (const device of server.devices.values()) device.revoked = false; // another enrolment is another device
  await tablet.enrol('GOOD000002');
  assert.equal((await tablet.sync()).state, 'done');
});

test('a storage restored from an older copy enrols anew and sends what is unsent under new numbers', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await visit(tablet);
  const old = await tablet.store.queue.device();
  await tablet.addRow(id, 'notes', { note: 'lost with the newer copy' });
  await tablet.sync();
  // The disk goes back to before the note, and other work is done with the same numbers.
  await tablet.store.outbox.write(['meta', 'ops', 'results'], async (tx) => {
    await tx.objectStore('ops').delete([old.device_id, 3]);
    await tx.objectStore('meta').put({ ...old }, 'device');
  });
  await tablet.addRow(id, 'notes', { note: 'made after the restore' });
  const outcome = await tablet.sync();
  assert.equal(outcome.needs, 'enrol_again');
  assert.match(outcome.reason, /older copy/);
  await tablet.enrol('GOOD000002');
  assert.equal((await tablet.sync()).state, 'done');
  assert.deepEqual(server.records.get(id).doc.lists.notes.map((row) => row.row.note), ['lost with the newer copy', 'made after the restore']);
  assert.equal(server.ops.size, 4, 'the first two were known and only took new numbers');
});

test('a server restored from a backup gets again what it lost, in order', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const first = await visit(tablet);
  await tablet.sync();
  const backup = structuredClone({ devices: server.devices, ops: server.ops, records: server.records, feed: server.feed, chg: server.chg, conflicts: server.conflicts });
  const second = await visit(tablet, '9');
  await tablet.sync();
  Object.assign(server, backup, { epoch: 'e-2' });
  await tablet.addRow(first, 'notes', { note: 'after the restore' });
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal(server.ops.size, 5);
  assert.deepEqual(server.records.get(second).doc.groups.tap_geometry.values, { joint_distance_up: measure('9') });
  assert.equal((await tablet.store.queue.device()).epoch, 'e-2');
  assert.equal((await tablet.inspection(second)).waiting, 0);
});

/** What the server remembers, to be put back later. */
const backupOf = (server) => {
  const { devices, ops, records, feed, chg, conflicts, blobs, photos, uploads } = server;
  return structuredClone({ devices, ops, records, feed, chg, conflicts, blobs, photos, uploads });
};

test('a restored server that no longer knows this tablet gets everything of all its enrolments, in the order made', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const backup = backupOf(server);
  const first = await visit(tablet, '1');
  await tablet.addPhoto(first, photoOf(900));
  await tablet.sync();
  await tablet.enrol('GOOD000002');
  await tablet.addRow(first, 'notes', { note: 'under the second number' });
  const second = await visit(tablet, '2');
  await tablet.sync();
  await tablet.addRow(second, 'notes', { note: 'not sent yet' });
  Object.assign(server, backup, { epoch: 'e-2', tokens: new Map() });
  assert.equal((await tablet.sync()).needs, 'enrol_again', 'the second enrolment is not known there');
  await tablet.enrol('GOOD000003');
  assert.deepEqual((await tablet.inspections()).length, 2, 'the screen shows all of it meanwhile');
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal(server.ops.size, 7);
  assert.ok([...server.ops.values()].every(({ result }) => result.status === 'applied'), 'nothing came before what it builds on');
  assert.deepEqual(server.records.get(first).doc.lists.notes.map((row) => row.row.note), ['under the second number']);
  assert.deepEqual(server.records.get(second).doc.lists.notes.map((row) => row.row.note), ['not sent yet']);
  assert.equal(server.blobs.size, 1, 'the photo too');
  assert.equal((await tablet.store.status()).waiting, 0);
  assert.equal((await tablet.inspection(second)).waiting, 0);
});

test('what a restored server lacks of an earlier enrolment gets new numbers behind the last', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await visit(tablet, '1');
  await tablet.sync();
  await tablet.addRow(id, 'notes', { note: 'an orphan' });
  await tablet.sync();
  await tablet.enrol('GOOD000002');
  await tablet.addRow(id, 'notes', { note: 'of now' });
  await tablet.sync();
  const before = (await tablet.ops()).length;
  // It comes back with this enrolment, and without the last entry of the one before.
  const orphan = [...server.ops].find(([, { content }]) => content.row?.note === 'an orphan')[0];
  server.ops.delete(orphan);
  server.records.get(id).doc.lists.notes.shift();
  server.epoch = 'e-2';
  await tablet.addRow(id, 'notes', { note: 'made since' });
  assert.equal((await tablet.sync()).state, 'done');
  assert.deepEqual(server.records.get(id).doc.lists.notes.map((row) => row.row.note), ['of now', 'made since', 'an orphan']);
  const rows = await tablet.ops();
  assert.equal(rows.length, before + 2, 'the journal keeps the old row beside the new one');
  const [old, fresh] = rows.filter((op) => op.op_id === orphan).sort((a, b) => a.made_at - b.made_at || a.seq - b.seq);
  assert.equal(JSON.parse(old.envelope.body).content, JSON.parse(fresh.envelope.body).content);
  // Nothing is left to say a second time.
  server.requests.length = 0;
  await tablet.sync();
  assert.equal(server.requests.filter(({ path }) => path.startsWith('/api/v1/ops')).length, 0);
  assert.deepEqual((await tablet.inspection(id)).doc.lists.notes.length, 3);
});

test('a restore that happened while the tablet was enrolled anew is still noticed', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await visit(tablet);
  await tablet.sync();
  server.ops.clear();
  server.records.clear();
  server.feed.length = 0;
  server.epoch = 'e-2';
  await tablet.enrol('GOOD000002');
  await (await tablet.reopened()).sync();
  assert.ok(server.records.get(id).doc.groups.tap_geometry);
});

test('rows that a later enrolment renumbered are forgotten with it after 30 days', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await visit(tablet);
  await tablet.enrol('GOOD000002');
  await tablet.sync();
  assert.equal((await tablet.ops()).length, 4);
  tablet.clock.at += 31 * 24 * 3600_000;
  await tablet.sync();
  assert.equal((await tablet.ops()).length, 0);
});

test('two tabs send each op once: the second one finds the lock taken', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const other = makeTablet({ server, name: tablet.name, locks: tablet.locks, clock: tablet.clock });
  for (let i = 0; i < 5; i++) await visit(tablet);
  const outcomes = await Promise.all([tablet.sync(), other.sync()]);
  assert.deepEqual(outcomes.map((outcome) => outcome.state).sort(), ['busy', 'done']);
  assert.equal(server.requests.filter((request) => request.path === '/api/v1/ops').length, 1);
  assert.equal(server.ops.size, 10);
});

test('the tablet says in every request how much it still holds', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await visit(tablet);
  let said;
  server.between = async (request, answer) => {
    if (request.path === '/api/v1/ops') said = [request.headers.get('X-Unsent-Ops'), Number(request.headers.get('X-Unsent-Bytes')) > 500];
    return answer();
  };
  await tablet.sync();
  assert.deepEqual(said, ['2', true]);
});

test('a wrong clock is measured against the server and written into the next op, never corrected', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  tablet.clock.at += 3 * 24 * 3600_000; // three days ahead
  await tablet.sync();
  await visit(tablet);
  const [op] = await tablet.ops();
  const content = JSON.parse(JSON.parse(op.envelope.body).content);
  assert.equal(content.clock.offset_ms, -3 * 24 * 3600_000);
  assert.equal(Date.parse(content.wall), tablet.clock.at);
});
