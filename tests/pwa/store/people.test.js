import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FakeServer, PERSON, SECOND } from '../sync/server.js';
import { contentOf } from '../../../inspect_app/static/pwa/store/journal.js';
import { enrolled, measure, photoOf } from './tablet.js';

const A = { name: 'inspector-a', password: 'right' };
const B = { name: 'inspector-b', password: 'right' };
const offline = async () => { throw new TypeError('no signal'); };

/** A tablet on which A has left work of every kind unsent and signed out, without a signal. */
async function leftByA(server) {
  const tablet = await enrolled(server);
  await tablet.signIn(A);
  server.between = offline;
  const id = await tablet.begin({ protocol: 'tap', place: '14 Main Street' });
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  await tablet.commit(id, 'tap_geometry');
  const photo = await tablet.addPhoto(id, photoOf(3000));
  await tablet.draft(id, 'position', { distance_mh: measure('147', 'ft') }); // not committed
  await tablet.position(id, { section: 'main', field: 'distance_mh' });
  await tablet.signOut();
  return { tablet, id, photo };
}

test('after a sign-out nobody sees what was left, and only how much of it waits', async () => {
  const { tablet, id, photo } = await leftByA(new FakeServer());
  const status = await tablet.store.status();
  assert.deepEqual([status.person, status.waiting, status.photos_waiting, status.waiting_since], [null, 0, 0, null]);
  assert.deepEqual(status.others, { items: 4, bytes: 3000 });
  assert.deepEqual(await tablet.inspections(), []);
  assert.equal(await tablet.inspection(id), null);
  assert.equal(await tablet.photo(id, photo), null);
  assert.equal(await tablet.resume(), null);
  await assert.rejects(tablet.begin({ protocol: 'tap', place: 'x' }), /forms|signed in/);
  await assert.rejects(tablet.addRow(id, 'notes', { note: 'x' }), /Nobody is signed in/);
});

test('the next person sees nothing of it, and it is sent under the name of its author', async () => {
  const server = new FakeServer();
  const { tablet, id, photo } = await leftByA(server);
  server.between = null;
  await tablet.signIn(B);
  assert.equal((await tablet.store.status()).person.name, 'Inspector B');
  assert.equal(await tablet.inspection(id), null);
  assert.deepEqual(await tablet.inspections(), []);
  assert.equal(await tablet.photo(id, photo), null);
  assert.equal(await tablet.resume(), null);
  await tablet.sync();
  const second = await tablet.begin({ protocol: 'tap', place: 'Lot 9' });
  await tablet.sync();
  const authors = new Map([...server.ops.values()].map(({ content }) => [content.record_id, content.user_id]));
  assert.equal(authors.get(id), PERSON.id);
  assert.equal(authors.get(second), SECOND.id);
  assert.equal(server.blobs.size, 1);
  assert.deepEqual((await tablet.store.status()).others, { items: 0, bytes: 0 });
});

test('its author comes back without a signal and finds everything, at the same field', async () => {
  const server = new FakeServer();
  const { tablet, id, photo } = await leftByA(server);
  server.between = null;
  await tablet.signIn(B);
  await tablet.sync();
  server.between = offline;
  await tablet.signOut();
  assert.equal((await tablet.signIn(A)).id, PERSON.id);
  const shown = await tablet.inspection(id);
  assert.deepEqual(shown.doc.groups.tap_geometry.values, { joint_distance_up: measure('7') });
  assert.deepEqual(shown.draft.position, { distance_mh: measure('147', 'ft') });
  assert.equal((await tablet.photo(id, photo)).size, 3000);
  assert.deepEqual((await tablet.resume()).field, 'distance_mh');
  assert.equal((await tablet.reference()).village.slug, 'barneveld', 'forms and rules are here');
  await tablet.commitAll(id);
  assert.equal(contentOf((await tablet.ops()).at(-1)).user_id, PERSON.id);
});

test('what one person typed into a record of the village is not the draft of the next', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.sync();
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  await tablet.signIn(B);
  await tablet.sync(); // an open record is everybody's
  assert.equal((await tablet.inspection(id)).draft.tap_geometry, undefined);
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('8') });
  await tablet.signIn(A);
  assert.deepEqual((await tablet.inspection(id)).draft.tap_geometry, { joint_distance_up: measure('7') });
  await tablet.signIn(B);
  assert.deepEqual((await tablet.inspection(id)).draft.tap_geometry, { joint_distance_up: measure('8') });
});

test('without a signal a wrong password, a stranger and an old sign-in are refused', async () => {
  const server = new FakeServer();
  const { tablet } = await leftByA(server);
  await assert.rejects(tablet.signIn({ ...A, password: 'wrong' }), /not right/);
  await assert.rejects(tablet.signIn(B), /has not signed in on this tablet/);
  for (let i = 0; i < 4; i++) await assert.rejects(tablet.signIn({ ...A, password: 'wrong' }), /not right/);
  await assert.rejects(tablet.signIn(A), /five times/);
  server.between = null;
  await tablet.signIn(A);
  await tablet.signOut();
  server.between = offline;
  tablet.clock.at += 31 * 24 * 3600_000;
  await assert.rejects(tablet.signIn(A), /30 days/);
});

test('an answer that was on its way for one person is not put into the copy of the next', async () => {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  await tablet.signIn(A);
  server.records.set('r', { rev: 1, chg: 1, deleted: false, doc: { groups: {}, lists: {}, photos: [], custody: [], protocol: 'tap', place: 'of A' } });
  server.tick('r');
  server.between = async (request, answer) => {
    const response = await answer();
    if (request.path.startsWith('/api/v1/changes')) {
      server.between = null;
      await tablet.signIn(B);
    }
    return response;
  };
  await tablet.sync();
  assert.deepEqual(await tablet.inspections(), []);
});

test('a tablet that is enrolled for another person keeps what the former one left', async () => {
  const server = new FakeServer();
  const { tablet, id } = await leftByA(server);
  server.between = null;
  const enrol = server.enrol.bind(server);
  server.enrol = (said) => {
    const made = enrol(said);
    return Response.json({ device_id: [...server.devices.keys()].at(-1), kid: 'k', epoch: server.epoch, village: server.village,
      person: SECOND, person_token: 'p' }, { status: made.status, headers: { 'X-Sync': '1' } });
  };
  await tablet.enrol('GOOD000002');
  assert.deepEqual(await tablet.inspections(), []);
  await tablet.sync();
  assert.equal([...server.ops.values()].filter(({ content }) => content.user_id === PERSON.id).length, 3);
  await tablet.signIn(A);
  assert.deepEqual((await tablet.inspection(id)).draft.position, { distance_mh: measure('147', 'ft') });
});

test('a PIN is chosen once, known again after a restart, and says since when; only a slow hash of it is kept', async () => {
  const tablet = await enrolled(new FakeServer());
  const people = async (of) => (await of.store.people()).makePeople(of);
  const first = await people(tablet);
  assert.equal(await first.hasPin('p-a'), false);
  const { set_at } = await first.choosePin('p-a', '4711');
  tablet.clock.at += 86_400_000;
  const again = await people(await tablet.reopened());
  assert.deepEqual([await again.hasPin('p-a'), await again.hasPin('p-b')], [true, false]);
  assert.deepEqual(await again.tryPin('p-a', '4711'), { set_at });
  assert.deepEqual(await again.choosePin('p-a', '0000'), { left: 4 }); // one does not take the place of the other
  assert.deepEqual(await again.tryPin('p-a', '4711'), { set_at });
});

test('the fifth wrong PIN is the last, the right one is then of no use, and a password gives way to a new one', async () => {
  const tablet = await enrolled(new FakeServer());
  const people = (await tablet.store.people()).makePeople(tablet);
  await people.choosePin('p-a', '4711');
  for (const left of [4, 3, 2, 1, 0]) assert.deepEqual(await people.tryPin('p-a', '1234'), { left });
  assert.deepEqual(await people.tryPin('p-a', '4711'), { left: 0 });
  await people.remember('inspector-a', 'trench-and-ladder', { person: { id: 'p-a', name: 'Inspector A' }, token: 't' });
  assert.equal(await people.hasPin('p-a'), false);
  assert.ok('set_at' in (await people.choosePin('p-a', '0815')));
});
