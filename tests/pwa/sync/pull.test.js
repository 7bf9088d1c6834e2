import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openReplica } from '../../../inspect_app/static/pwa/store/database.js';
import { enrolled, makeTablet, measure } from '../store/tablet.js';
import { FakeServer, PACK } from './server.js';

const SET = (tablet, id, values) => tablet.draft(id, 'tap_geometry', values).then(() => tablet.commit(id, 'tap_geometry'));

test('rows and cursor are one: a page that cannot be written whole moves nothing', async () => {
  const server = new FakeServer();
  const a = await enrolled(server);
  const b = await enrolled(server);
  const id = await a.begin({ protocol: 'tap', place: 'x' });
  await a.sync();
  server.between = async (request, answer) => {
    const response = await answer();
    if (!request.path.startsWith('/api/v1/changes')) return response;
    const page = await response.json();
    page.changes.push({ chg: 99, entity: 'inspection', doc: {} }); // a row without its key: the database refuses it
    return new Response(JSON.stringify(page), { headers: response.headers });
  };
  assert.equal((await b.sync()).state, 'offline');
  const { cursor, seen } = await b.store.replica.position();
  assert.deepEqual({ cursor, seen }, { cursor: 'e-1:0', seen: 0 });
  assert.equal(await b.inspection(id), null);
  server.between = null;
  assert.equal((await b.sync()).state, 'done');
  assert.ok(await b.inspection(id));
});

test('a long feed is taken in page by page and goes on where it broke off', async () => {
  const server = new FakeServer();
  server.page = 3;
  const a = await enrolled(server);
  const ids = [];
  for (let i = 0; i < 8; i++) ids.push(await a.begin({ protocol: 'tap', place: `house ${i}` }));
  await a.sync();
  const b = await enrolled(server, {});
  let pages = 0;
  server.between = async (request, answer) => {
    if (request.path.startsWith('/api/v1/changes') && (pages += 1) === 2) throw new TypeError('reset');
    return answer();
  };
  const c = makeTablet({ server });
  await c.enrol('GOOD3');
  assert.equal((await c.sync()).state, 'offline');
  assert.equal((await c.inspections()).length, 3);
  await c.sync();
  assert.deepEqual((await c.inspections()).map((row) => row.id).sort(), [...ids].sort());
  assert.equal((await b.inspections()).length, 8);
});

test('an own op stays on the screen until what was pulled contains it', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await SET(tablet, id, { joint_distance_up: measure('7') });
  server.between = async (request, answer) => {
    if (request.path.startsWith('/api/v1/changes')) throw new TypeError('gone after the push');
    return answer();
  };
  await tablet.sync();
  assert.equal((await tablet.store.status()).waiting, 0);
  assert.deepEqual((await tablet.inspection(id)).doc.groups.tap_geometry.values, { joint_distance_up: measure('7') });
  assert.equal((await tablet.store.queue.device()).settled, 0);
  server.between = null;
  await tablet.sync();
  const head = await tablet.store.queue.device();
  assert.equal(head.settled, head.last_seq);
});

test('two inspectors, one group: the first stays, the second is kept beside it and shown', async () => {
  const server = new FakeServer();
  const a = await enrolled(server);
  const id = await a.begin({ protocol: 'tap', place: 'x' });
  await SET(a, id, { joint_distance_down: measure('7.0'), clock: '11:00' });
  await a.sync();
  const b = await enrolled(server);
  await SET(a, id, { joint_distance_down: measure('5.5'), clock: '11:00' });
  await SET(b, id, { joint_distance_down: measure('6.5'), clock: '10:30' });
  await b.draft(id, 'site', { barricades: 4 });
  await b.commit(id, 'site');
  await b.addRow(id, 'notes', { note: 'measured to gasket line' });
  await a.sync();
  assert.equal((await b.sync()).state, 'done');
  const seen = await b.inspection(id);
  assert.deepEqual(seen.doc.groups.tap_geometry.values, { joint_distance_down: measure('5.5'), clock: '11:00' });
  assert.deepEqual(seen.doc.groups.site.values, { barricades: 4 });
  assert.equal(seen.doc.lists.notes.length, 1);
  assert.equal(seen.conflicts.length, 1);
  assert.deepEqual(seen.conflicts[0].candidates[0].values, { joint_distance_down: measure('6.5'), clock: '10:30' });
  const status = await b.store.status();
  assert.deepEqual([status.state, status.reason_kind, status.conflicts.length], ['needs_you', 'conflict', 1]);
});

test('typing that began before a pull names what the screen showed then, so nothing unseen is overwritten', async () => {
  const server = new FakeServer();
  const a = await enrolled(server);
  const id = await a.begin({ protocol: 'tap', place: 'x' });
  await SET(a, id, { joint_distance_down: measure('7') });
  await a.sync();
  const b = await enrolled(server);
  await b.draft(id, 'tap_geometry', { joint_distance_down: measure('6') }); // typed, not left
  await SET(a, id, { joint_distance_down: measure('5') });
  await a.sync();
  await b.sync(); // brings the 5 in underneath the open field
  assert.deepEqual((await b.inspection(id)).draft.tap_geometry, { joint_distance_down: measure('6') });
  await b.commit(id, 'tap_geometry');
  await b.sync();
  assert.deepEqual(server.records.get(id).doc.groups.tap_geometry.values, { joint_distance_down: measure('5') });
  assert.equal(server.conflicts.size, 1);
});

test('an edit on top of an own unsent edit names that edit, whatever a pull brought underneath', async () => {
  const server = new FakeServer();
  const a = await enrolled(server);
  const id = await a.begin({ protocol: 'tap', place: 'x' });
  await SET(a, id, { joint_distance_down: measure('7') });
  await a.sync();
  const b = await enrolled(server);
  await SET(b, id, { joint_distance_down: measure('6') });
  await SET(a, id, { joint_distance_down: measure('5') });
  await a.sync();
  server.between = async (request, answer) => {
    if (request.path === '/api/v1/ops') throw new TypeError('only reading works');
    return answer();
  };
  await b.engine.api.get('/time'); // the line is there
  const at = await b.store.replica.position();
  server.between = null;
  const page = await (await server.fetch(`/api/v1/changes?cursor=${at.cursor}&limit=500`, {
    headers: { Authorization: `Bearer ${await b.store.queue.meta('person_token')}` } })).json();
  await b.store.replica.take(page, at);
  await SET(b, id, { joint_distance_down: measure('6.25') });
  const last = (await b.ops()).at(-1);
  const content = JSON.parse(JSON.parse(last.envelope.body).content);
  const before = (await b.ops()).at(-2);
  assert.equal(content.replaces, before.op_id);
  await b.sync();
  assert.deepEqual(server.records.get(id).doc.groups.tap_geometry.values, { joint_distance_down: measure('5') });
});

test('receiving ends with the sign-in and comes back with it; sending never stops', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  server.personGood = false;
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  assert.equal((await tablet.sync()).needs, 'sign_in');
  assert.equal(server.records.size, 1);
  assert.ok(await tablet.inspection(id));
  await assert.rejects(tablet.signIn({ name: 'a', password: 'wrong' }), /Name or password/);
  await tablet.signIn({ name: 'a', password: 'right' });
  assert.equal((await tablet.sync()).state, 'done');
  assert.equal((await tablet.store.status()).state, 'online');
});

test('a replica that is thrown away hides nothing that was recorded here', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await SET(tablet, id, { joint_distance_up: measure('7') });
  await tablet.sync();
  await tablet.store.close();
  // A newer release upgrades the replica, and is rolled back: the older one cannot read it and starts it anew.
  const newer = openReplica(`${tablet.name}replica`, 7);
  await newer.read(['meta'], async () => null);
  await newer.close();
  const again = await tablet.reopened({ server: undefined });
  await again.store.start();
  assert.deepEqual((await again.inspection(id)).doc.groups.tap_geometry.values, { joint_distance_up: measure('7') });
  const online = await again.reopened({ server });
  assert.equal((await online.sync()).state, 'done');
  assert.equal((await online.inspection(id)).doc.number, 'T-1');
  assert.ok((await online.inspection(id)).pack, 'the pack came again');
});

test('a record that left the share of this person goes, unless unsent work lies on it', async () => {
  const server = new FakeServer();
  const a = await enrolled(server);
  const [kept, gone] = [await a.begin({ protocol: 'tap', place: 'kept' }), await a.begin({ protocol: 'tap', place: 'gone' })];
  await a.sync();
  const b = await enrolled(server);
  server.forget = [kept, gone];
  server.between = async (request, answer) => {
    if (request.path.startsWith('/api/v1/changes') && !request.later) await b.addRow(kept, 'notes', { note: 'typed while it was pulled' });
    return answer();
  };
  await b.sync();
  server.between = null;
  assert.deepEqual((await b.inspections()).map((row) => row.place), ['kept']);
  server.forget = [];
  await b.sync(); // the note arrives and comes back
  await b.sync();
  assert.deepEqual(await b.inspections(), []);
  assert.equal(server.records.get(kept).doc.lists.notes.length, 1);
});

test('forms and packs of an older release stay for the inspections begun with them', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  const pack = 'b'.repeat(64);
  server.reference = { ...server.reference, protocols: [{ protocol: 'tap', version: '2', title: 'Tap check' }], packs: { [pack]: { rules: [1] } }, pack };
  await tablet.sync();
  assert.equal((await tablet.reference()).pack, pack);
  const seen = await tablet.inspection(id);
  assert.equal(seen.protocol.version, '1');
  assert.deepEqual(seen.pack, { rules: [] });
  assert.equal(seen.doc.pack, PACK);
});

test('the earlier form of an open record comes beside the newest, which alone is begun', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  server.reference = { ...server.reference, protocols: [{ protocol: 'tap', version: '2', title: 'Tap check' }],
    former_protocols: [{ protocol: 'tap', version: '0', title: 'Tap check' }] };
  await tablet.sync();
  assert.equal((await tablet.form('tap', '0')).version, '0');
  assert.equal((await tablet.inspection(await tablet.begin({ protocol: 'tap', place: 'x' }))).doc.protocol_version, '2');
});

test('translations lie beside the reference data, are there without a line, and go when the office takes them back', async () => {
  const server = new FakeServer();
  server.reference = { ...server.reference, translations: { es: { 'Joint upstream': 'Junta aguas arriba' } } };
  const tablet = await enrolled(server);
  const said = (language) => tablet.store.inspections.translations(language);
  assert.deepEqual(await said('es'), { 'Joint upstream': 'Junta aguas arriba' });
  assert.deepEqual(await said('de'), {});
  assert.equal((await tablet.reference()).translations, undefined, 'every start would read them');
  server.reference = { ...server.reference, translations: {} };
  await tablet.sync();
  assert.deepEqual(await said('es'), {});
});

test('a draft begun on a form with a fault is moved to the newer one on purpose, and keeps what was typed', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.draft(id, 'tap_geometry', { clock: '10:30' });
  server.reference = { ...server.reference, protocols: [{ protocol: 'tap', version: '2', title: 'Tap check' }] };
  await tablet.sync();
  assert.equal((await tablet.inspection(id)).protocol.version, '1');
  await tablet.moveForm(id, 'Version 1 asks what nobody can answer.');
  await tablet.moveForm(id); // once more changes nothing
  const moved = await tablet.inspection(id);
  assert.equal(moved.protocol.version, '2');
  assert.deepEqual(moved.doc.groups.tap_geometry.values, { clock: '10:30' });
  await tablet.sync();
  assert.equal((await tablet.inspection(id)).doc.protocol_version, '2');
  assert.equal([...server.ops.values()].filter(({ content }) => content.kind === 'record.move_form').length, 1);
});

test('unchanged reference data is not sent twice', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  let status;
  server.between = async (request, answer) => {
    const response = await answer();
    if (request.path === '/api/v1/reference') status = response.status;
    return response;
  };
  await tablet.sync();
  assert.equal(status, 304);
  assert.ok(await tablet.reference());
});

test('an assignment is begun once, also from two tabs, and its values are there to be confirmed', async () => {
  const server = new FakeServer();
  server.assignments.push({ id: 'as-1', protocol: 'tap', place: '14 Main Street', permit_no: 'P-1', state: 'open', prefill: { permit: { permit_no: 'P-1' } } });
  server.tick('as-1', 'assignment');
  const tablet = await enrolled(server);
  const other = makeTablet({ server, name: tablet.name, locks: tablet.locks, clock: tablet.clock });
  const [one, two] = await Promise.all([tablet.begin({ assignment: 'as-1' }), other.begin({ assignment: 'as-1' })]);
  assert.equal(one, two);
  assert.deepEqual((await tablet.assignments()).map((row) => [row.state, row.record_id]), [['begun', one]]);
  const seen = await tablet.inspection(one);
  assert.deepEqual(seen.draft, { permit: { permit_no: 'P-1' } });
  assert.deepEqual(seen.doc.groups, {});
  await tablet.commitAll(one);
  assert.deepEqual((await tablet.answers(one)).permit_no, 'P-1');
});

test('of a first download that broke off no visits are offered; the list says how far it is, and goes on from there', async () => {
  const server = new FakeServer();
  server.page = 3;
  server.assignments = Array.from({ length: 10 }, (_, n) => ({ id: `a-${n}`, protocol: 'tap', place: `house ${n}`, state: 'open', prefill: {} }));
  server.assignments.forEach(({ id }, n) => server.feed.push({ chg: n + 1, entity: 'assignment', id }));
  server.chg = 10;
  const tablet = makeTablet({ server });
  let pages = 0;
  server.between = async (request, answer) => {
    if (request.path.startsWith('/api/v1/changes') && (pages += 1) === 2) throw new TypeError('reset');
    return answer();
  };
  await tablet.enrol();
  assert.equal((await tablet.sync()).state, 'offline');
  const half = await tablet.store.inspections.day();
  assert.deepEqual(half.first, { done: 3, of: 10 });
  assert.deepEqual(half.assignments, []);
  await assert.rejects(tablet.begin({ assignment: 'a-0' }), /no longer on the tablet/);

  const again = await tablet.reopened();
  const asked = server.requests.length;
  await again.sync();
  const whole = await again.store.inspections.day();
  assert.equal(whole.first, null);
  assert.equal(whole.assignments.length, 10);
  const cursors = server.requests.slice(asked).filter(({ path }) => path.startsWith('/api/v1/changes')).map(({ path }) => /cursor=([^&]*)/.exec(path)[1]);
  assert.equal(cursors[0], encodeURIComponent('e-1:3'), 'what is here is not fetched again');

  // Later pages are news, not a first download: what is here stays offered while they come.
  server.feed.push(...[11, 12, 13, 14].map((chg) => ({ chg, entity: 'assignment', id: 'a-0' })));
  server.chg = 14;
  pages = 0;
  await again.sync();
  assert.equal((await again.store.inspections.day()).assignments.length, 10);
});
