import assert from 'node:assert/strict';
import { test } from 'node:test';

import 'fake-indexeddb/auto';
import { openDB } from '../../../inspect_app/static/vendor/idb/build/index.js';
import { openReplica } from '../../../inspect_app/static/pwa/store/database.js';
import { rowOf } from '../../../inspect_app/static/pwa/store/rows.js';
import { FakeServer } from '../sync/server.js';
import { enrolled, measure } from './tablet.js';

const DOC = {
  protocol: 'tap', number: 'T-0007', permit_no: 'BV-2026-0044', place: 'MH-112 + 147.3 ft', state: 'approved', assignment_id: 'a-1',
  groups: {
    position: { values: { mh_ref: 'MH-112', direction: 'downstream' } },
    place: { values: { gps: { lat: 43.015, lon: -89.896, accuracy_m: 4 } } },
    tap_geometry: { values: { joint_distance_up: measure('5 1/2') } },
  },
};

test('a line holds what people search for and where it is, and none of the readings', () => {
  assert.deepEqual(rowOf('r-1', DOC, false), {
    id: 'r-1', protocol: 'tap', number: 'T-0007', permit_no: 'BV-2026-0044', place: 'MH-112 + 147.3 ft', state: 'approved', assignment_id: 'a-1',
    parent_record: null, refs: ['MH-112'], spot: { lat: 43.015, lon: -89.896 }, deleted: false,
  });
});

test('a tablet that comes from the release before keeps its records and gets their lines, with no signal', async () => {
  const old = await openDB('before-replica', 1, {
    upgrade(db) {
      for (const name of ['records', 'assignments']) db.createObjectStore(name, { keyPath: 'id' });
      db.createObjectStore('conflicts', { keyPath: 'id' }).createIndex('record_id', 'record_id');
      db.createObjectStore('reference');
      db.createObjectStore('meta');
    },
  });
  await old.put('records', { id: 'r-1', rev: 3, chg: 9, doc: DOC, deleted: false });
  await old.put('meta', 'c-9', 'cursor');
  old.close();
  const replica = openReplica('before-replica');
  const [rows, record, cursor] = await replica.read(['rows', 'records', 'meta'], (tx) => Promise.all([
    tx.objectStore('rows').getAll(), tx.objectStore('records').get('r-1'), tx.objectStore('meta').get('cursor'),
  ]));
  assert.deepEqual([rows, record.rev, cursor], [[rowOf('r-1', DOC, false)], 3, 'c-9']);
  await replica.close();
});

test('what this tablet has changed and not yet got back stands in the list as it is on the screen', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'Street opening' });
  await tablet.draft(id, 'position', { mh_ref: 'MH-112' });
  await tablet.commitAll(id);
  const [row] = await tablet.inspections();
  assert.deepEqual([row.refs, row.waiting, row.state, row.title], [['MH-112'], 2, 'draft', 'Tap check']);
  await tablet.sync();
  const [after] = await tablet.inspections();
  assert.deepEqual([after.refs, after.waiting], [['MH-112'], 0]);
  await tablet.discard(id, 'not needed');
  assert.deepEqual(await tablet.inspections(), []);
});
