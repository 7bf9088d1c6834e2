import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openPractice } from '../../../inspect_app/static/pwa/store/practice.js';
import { FakeServer } from '../sync/server.js';
import { enrolled, measure, photoOf } from './tablet.js';

const INSPECTOR = { id: 'p-1', name: 'Inspector A', roles: ['inspector'] };

const practiceOn = (tablet, person = INSPECTOR) => openPractice({
  reference: tablet.store.replicaDatabase, person, village: 'barneveld', clock: tablet.clock, app: '0.1.0', name: tablet.name, preview: async () => null,
});

/** A whole visit, done for practice: a reading, a note, a photo, a signature, handed in. */
async function practised(practice) {
  const { inspections: visits } = practice;
  const id = await visits.begin({ protocol: 'tap', place: 'Practice ground' });
  await visits.draft(id, 'tap_geometry', { joint_distance_up: measure('5 1/2') });
  await visits.commitAll(id);
  await visits.addRow(id, 'notes', { note: 'for practice' });
  await visits.addPhoto(id, photoOf(5000));
  await visits.sign(id, { field: 'plumber', role: 'Plumber', name: 'Plumber 2', typed: 'Plumber 2' });
  await visits.submit(id, { findings: [], context: {} });
  return id;
}

test('a whole practice visit leaves nothing in the outbox, and no sync sends a byte of it', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const practice = await practiceOn(tablet);
  const id = await practised(practice);
  assert.equal((await practice.inspections.inspection(id)).doc.state, 'submitted');
  assert.equal((await practice.inspections.inspection(id)).doc.photos.length, 1);

  const before = server.requests.length;
  await tablet.sync({ all: true });
  const { waiting, photos_waiting } = await tablet.store.status();
  assert.deepEqual([waiting, photos_waiting, (await tablet.ops()).length], [0, 0, 0]);
  assert.deepEqual([server.records.size, server.ops.size, server.uploads.size], [0, 0, 0]);
  assert.equal(server.requests.slice(before).filter(({ method, path }) => method !== 'GET' && path !== '/api/v1/auth/device').length, 0);
  assert.equal((await tablet.store.exportUnsent()).ops, 0);
  assert.deepEqual(await tablet.inspections(), []);
  assert.equal(await tablet.inspection(id), null);
});

test('even copied into the outbox by hand, an office would refuse what was practised: device, key and id are none it knows', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const practice = await practiceOn(tablet);
  const id = await practised(practice);
  assert.ok(id.length > 36, 'an office takes ids of 36 signs at most');
  const { openOutbox } = await import('../../../inspect_app/static/pwa/store/database.js');
  const ops = await openOutbox(`${tablet.name}practice-outbox`).read(['ops'], (tx) => tx.objectStore('ops').getAll());
  assert.ok(ops.length > 4);
  for (const op of ops) {
    const { device_id } = JSON.parse(op.envelope.body);
    assert.equal(server.devices.has(device_id), false);
  }
});

test('discarding takes everything with it, and another person does not see what one has practised', async () => {
  const tablet = await enrolled(new FakeServer());
  const practice = await practiceOn(tablet);
  const id = await practised(practice);
  await practice.discard();
  assert.deepEqual(await practice.inspections.inspections(), []);
  assert.equal(await practice.inspections.inspection(id), null);
  const next = await practised(practice);
  await practice.close();
  const other = await practiceOn(tablet, { id: 'p-2', name: 'Inspector B', roles: ['inspector'] });
  assert.equal(await other.inspections.inspection(next), null);
  assert.deepEqual(await other.inspections.inspections(), []);
});

test('a practice visit has the real forms, and stays over a restart until it is discarded', async () => {
  const tablet = await enrolled(new FakeServer());
  const practice = await practiceOn(tablet);
  const id = await practised(practice);
  await practice.close();
  const again = await practiceOn(tablet);
  const view = await again.inspections.inspection(id);
  assert.equal(view.protocol.title, 'Tap check');
  assert.deepEqual(view.doc.groups.tap_geometry.values, { joint_distance_up: measure('5 1/2') });
  assert.equal(view.doc.number, null);
});
