import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Visit } from '../../../inspect_app/static/pwa/screens/visit.js';
import { copiedFrom, lastVisit } from '../../../inspect_app/static/pwa/store/last_visit.js';
import { FakeServer } from '../sync/server.js';
import { enrolled, measure } from './tablet.js';

const field = (name, type = 'text') => ({ field: name, type });
const FORM = {
  protocol: 'tap', version: '1', title: 'Tap check', carries: ['permit_no', 'permit_seen_at', 'installer_license', 'main_material', 'mh_ref'],
  sections: [{ id: 'all', kind: 'fields', groups: [
    { group: 'permit', fields: [field('permit_no'), field('permit_seen_at', 'time')] },
    { group: 'licence', fields: [field('installer_license')] },
    { group: 'main', fields: [field('main_material', 'choice')] },
    { group: 'position', fields: [field('mh_ref'), field('distance_mh', 'measure')] },
  ] }],
};
const FOUND = {
  permit: { permit_no: 'BV-2026-0044', permit_seen_at: '2026-05-01T09:00:00-05:00' }, licence: { installer_license: 'MP-12' },
  main: { main_material: 'pvc' }, position: { mh_ref: 'MH-112', distance_mh: measure('147.3', 'ft') },
};
const held = Object.fromEntries(Object.entries(FOUND).map(([group, values]) => [group, { values }]));
const row = (id, more) => ({ id, protocol: 'tap', place: 'Lot 14 Example Court', permit_no: 'BV-2026-0031', state: 'approved', refs: [], ...more });

test('the last visit of the same kind to the same place, or under the same permit, is the one', () => {
  const rows = [row('1', {}), row('3', { place: 'Lot 15 Example Court' }), row('2', {}), row('9', { protocol: 'lateral' }), row('8', { state: 'void' })];
  const next = { protocol: 'tap', place: ' lot 14  example court', permit_no: '' };
  assert.deepEqual(lastVisit(rows, next), { id: '2', samePlace: true, samePermit: false });
  assert.deepEqual(lastVisit(rows, { ...next, place: 'elsewhere', permit_no: 'bv-2026-0031' }), { id: '3', samePlace: false, samePermit: true });
  assert.equal(lastVisit(rows, { ...next, place: 'elsewhere' }), null);
  assert.equal(lastVisit([row('1', { place: '', permit_no: '' })], { protocol: 'tap', place: '', permit_no: '' }), null);
});

test('a manhole is known again by its id; a tap is not, by the manhole it is measured from', () => {
  const manhole = row('1', { protocol: 'manhole', place: 'Dairy 1, back yard', permit_no: '', refs: ['CM-01'] });
  assert.equal(lastVisit([manhole], { protocol: 'manhole', place: 'CM-01', permit_no: '' })?.id, '1');
  assert.equal(lastVisit([manhole], { protocol: 'manhole', place: 'CM-01, Dairy 1', permit_no: '', manhole: 'CM-01' })?.id, '1');
  assert.equal(lastVisit([row('1', { refs: ['MH-112'] })], { protocol: 'tap', place: 'MH-112', permit_no: '' }), null);
});

test('no reading and no moment is copied, what hangs on the permit only under the same one, what the place is only at it', () => {
  assert.deepEqual(copiedFrom(FORM, held, { samePlace: true, samePermit: true }), {
    permit: { permit_no: 'BV-2026-0044' }, licence: { installer_license: 'MP-12' }, main: { main_material: 'pvc' }, position: { mh_ref: 'MH-112' },
  });
  assert.deepEqual(Object.keys(copiedFrom(FORM, held, { samePlace: true, samePermit: false })), ['main', 'position']);
  assert.deepEqual(Object.keys(copiedFrom(FORM, held, { samePlace: false, samePermit: true })), ['permit', 'licence']);
});

test('a new visit to the same place begins with what does not change, says where it is from until it is touched, and the assignment counts more', async () => {
  const server = new FakeServer();
  server.reference.protocols = [FORM];
  const tablet = await enrolled(server);
  const first = await tablet.begin({ protocol: 'tap', place: 'Lot 14 Example Court', permit_no: 'BV-2026-0044' });
  for (const [group, values] of Object.entries(FOUND)) await tablet.draft(first, group, values);
  await tablet.commitAll(first);
  server.assignments = [{ id: 'a-1', protocol: 'tap', place: 'Lot 14 Example Court', permit_no: 'BV-2026-0044', state: 'open', prefill: { main: { main_material: 'clay' } } }];
  server.feed.push({ chg: (server.chg += 1), entity: 'assignment', id: 'a-1' });
  await tablet.sync();

  const second = await tablet.begin({ assignment: 'a-1' });
  const app = { store: tablet.store.inspections, now: () => new Date(), render() {}, makeJudge: async () => ({ look() {}, findings: () => [], holds: () => null }) };
  const visit = await Visit.open(app, second);
  const from = (group, name) => [visit.value(group, name), visit.copiedFrom(group, name)];
  assert.deepEqual(from('main', 'main_material'), ['clay', 'assignment']);
  assert.deepEqual(from('position', 'mh_ref'), ['MH-112', 'visit']);
  assert.deepEqual(from('position', 'distance_mh'), [null, '']);
  assert.deepEqual(from('permit', 'permit_seen_at'), [null, '']);
  visit.set('position', 'mh_ref', 'MH-113');
  assert.deepEqual(from('position', 'mh_ref'), ['MH-113', '']);
  while (visit.pending) await new Promise((resolve) => setTimeout(resolve, 1));
  await visit.leaveAll();
  const kinds = (await tablet.ops()).filter((op) => op.record_id === second).map((op) => JSON.parse(JSON.parse(op.envelope.body).content)).map((c) => c.group ?? c.kind);
  assert.deepEqual(kinds.sort(), ['licence', 'main', 'permit', 'position', 'record.create'], 'what is copied goes as values go, and the note of it stays here');
  visit.close();
});
