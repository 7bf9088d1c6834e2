import assert from 'node:assert/strict';
import { test } from 'node:test';

import { answersOf } from '../../../inspect_app/static/pwa/store/answers.js';
import { canonical } from '../../../inspect_app/static/pwa/store/hashes.js';
import { FakeServer } from '../sync/server.js';
import { enrolled, makeTablet, measure, photoOf } from './tablet.js';

const contents = async (tablet) => (await tablet.ops()).map((op) => JSON.parse(JSON.parse(op.envelope.body).content));

async function visit(server = new FakeServer()) {
  const tablet = await enrolled(server);
  return { tablet, server, id: await tablet.begin({ protocol: 'tap', place: '14 Main Street' }) };
}

test('every keystroke is on disk: the page may die after any of them', async () => {
  const { tablet, id } = await visit();
  let typed = '';
  for (const key of '5 1/2') {
    typed += key;
    await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure(typed) });
    const again = await tablet.reopened();
    assert.deepEqual((await again.inspection(id)).draft.tap_geometry, { joint_distance_up: measure(typed) });
    await again.store.close();
  }
});

/** The storage of a browser's tab: names and texts, listed by its keys as the browser's own is. */
function tabStorage() {
  const tab = Object.create({
    setItem(key, text) { this[key] = text; },
    getItem(key) { return this[key] ?? null; },
    removeItem(key) { delete this[key]; },
  });
  return tab;
}

/** A tablet whose page is taken away with the last keystroke still on its way to the database. */
async function cutOff(values, before = null) {
  const tab = tabStorage();
  const tablet = await enrolled(new FakeServer(), { tab });
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  if (before) await tablet.draft(id, 'tap_geometry', before);
  const kept = tablet.store.outbox.write;
  tablet.store.outbox.write = () => new Promise(() => {});
  tablet.draft(id, 'tap_geometry', values);
  tablet.store.outbox.write = kept;
  const noted = { ...tab };
  return { tablet, id, tab, noted };
}

test('a reload in the moment of a keystroke keeps it: the tab noted it before the database had it', async () => {
  for (const before of [null, { clock: '10:3' }]) {
    const { tablet, id, tab } = await cutOff({ clock: '10:30' }, before);
    const page = await tablet.reopened();
    await page.store.start();
    assert.deepEqual((await page.inspection(id)).draft.tap_geometry, { clock: '10:30' });
    assert.deepEqual(Object.keys(tab), []);
  }
});

test('a noted keystroke never takes the place of a later one, and one of an old session is left aside', async () => {
  const { tablet, id, tab, noted } = await cutOff({ clock: '10:3' });
  const page = await tablet.reopened();
  await page.draft(id, 'tap_geometry', { clock: '10:30' });
  Object.assign(tab, noted);
  await page.store.start();
  assert.deepEqual((await page.inspection(id)).draft.tap_geometry, { clock: '10:30' });
  await page.commit(id, 'tap_geometry');
  Object.assign(tab, noted);
  page.clock.at += 3600_000;
  await page.store.start();
  assert.deepEqual((await page.inspection(id)).draft, {});
  assert.deepEqual(Object.keys(tab), []);
});

test('keystrokes that are not waited for arrive in their order', async () => {
  const { tablet, id } = await visit();
  const all = [];
  for (let i = 0; i < 30; i++) all.push(tablet.draft(id, 'tap_geometry', { joint_distance_up: measure(String(i)) }));
  all.push(tablet.commit(id, 'tap_geometry'));
  await Promise.all(all);
  assert.deepEqual((await tablet.inspection(id)).doc.groups.tap_geometry.values, { joint_distance_up: measure('29') });
  assert.equal((await tablet.ops()).length, 2);
});

test('a commit that is cut off leaves the draft, one that is whole takes it along', async () => {
  const { tablet, id } = await visit();
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  const { append } = tablet.store.journal;
  const before = (await tablet.ops()).length;
  await assert.rejects(append(async () => ({
    entries: [{ kind: 'group.set', record_id: id, own: { group: 'tap_geometry', replaces: '', values: {}, was: {} } }],
    stores: ['drafts'],
    apply: async (tx) => {
      await tx.objectStore('drafts').delete([id, 'tap_geometry']);
      throw new Error('battery');
    },
  })));
  const again = await tablet.reopened();
  assert.deepEqual((await again.inspection(id)).draft.tap_geometry, { joint_distance_up: measure('7') });
  await again.commit(id, 'tap_geometry');
  assert.deepEqual((await again.inspection(id)).draft, {});
  assert.equal((await again.ops()).length, before + 1);
});

test('leaving a group unchanged makes no op', async () => {
  const { tablet, id } = await visit();
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  await tablet.commit(id, 'tap_geometry');
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('8') });
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7'), joint_distance_down: '' });
  await tablet.commit(id, 'tap_geometry');
  assert.equal((await tablet.ops()).length, 2);
  assert.deepEqual((await tablet.inspection(id)).draft, {});
});

test('a value that is taken back is gone from the group, not left behind', async () => {
  const { tablet, id } = await visit();
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7'), clock: '10:30' });
  await tablet.commit(id, 'tap_geometry');
  await tablet.draft(id, 'tap_geometry', { clock: '10:30' });
  assert.equal((await tablet.answers(id)).joint_distance_up, undefined);
  await tablet.commit(id, 'tap_geometry');
  assert.deepEqual((await tablet.inspection(id)).doc.groups.tap_geometry.values, { clock: '10:30' });
  assert.deepEqual((await contents(tablet)).at(-1).was, { joint_distance_up: measure('7'), clock: '10:30' });
});

test('a half-typed row of the screen is on disk like everything else, and is never sent', async () => {
  const { tablet, id } = await visit();
  await tablet.draft(id, '.row:gas', { o2: measure('20.9', 'pct') });
  await tablet.commitAll(id);
  const again = await tablet.reopened();
  assert.deepEqual((await again.inspection(id)).draft, { '.row:gas': { o2: measure('20.9', 'pct') } });
  assert.deepEqual(await again.answers(id), {});
  await again.draft(id, '.row:gas', {});
  assert.deepEqual((await again.inspection(id)).draft, {});
  assert.equal((await again.ops()).length, 1);
});

test('two tabs that leave the same group at once make one op', async () => {
  const { tablet, id } = await visit();
  const other = makeTablet({ name: tablet.name, locks: tablet.locks, clock: tablet.clock });
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  await Promise.all([tablet.commit(id, 'tap_geometry'), other.commit(id, 'tap_geometry')]);
  assert.equal((await tablet.ops()).length, 2);
});

test('each change names the change it replaces', async () => {
  const { tablet, id } = await visit();
  for (const value of ['7', '8', '9']) {
    await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure(value) });
    await tablet.commit(id, 'tap_geometry');
  }
  const ops = await tablet.ops();
  assert.deepEqual((await contents(tablet)).slice(1).map((content) => content.replaces), ['', ops[1].op_id, ops[2].op_id]);
});

test('a signature that a form asks for among its answers is kept in the group of its field', async () => {
  const { tablet, id } = await visit();
  await tablet.draft(id, 'premises_safety', { company_has_rules: 'yes' });
  const signature = await tablet.sign(id, { field: 'site_rules_ack', group: 'premises_safety', role: 'Sampler', name: 'Sampler D', typed: 'Sampler D' });
  const { doc } = await tablet.inspection(id);
  assert.deepEqual(doc.groups.premises_safety.values, { company_has_rules: 'yes', site_rules_ack: signature });
  assert.equal(doc.groups.signatures, undefined);
});

test('two signatures within a second are both kept, each bound to what it signed', async () => {
  const { tablet, id } = await visit();
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  const ids = await Promise.all([
    tablet.sign(id, { field: 'signature_inspector', role: 'Inspector', name: 'Inspector A', points: [[1, 2]], png: new Uint8Array([1]).buffer }),
    tablet.sign(id, { field: 'signature_installer', role: 'Installer', name: 'Installer', typed: 'Installer' }),
  ]);
  const seen = await tablet.inspection(id);
  assert.deepEqual(seen.doc.groups.signatures.values, { signature_inspector: ids[0], signature_installer: ids[1] });
  const marks = seen.doc.lists.signature_marks.map((row) => row.row);
  assert.equal(marks.length, 2);
  assert.ok(marks.every((mark) => mark.revision_hash === seen.revision_hash), 'a signature does not change what is signed');
  assert.equal(marks[0].png_sha256.length, 64);
  assert.equal(marks[1].typed, 'Installer');
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('6') });
  await tablet.commit(id, 'tap_geometry');
  assert.notEqual((await tablet.inspection(id)).revision_hash, marks[0].revision_hash);
});

test('submitting commits what is typed and hands in exactly that', async () => {
  const { tablet, id, server } = await visit();
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  await tablet.submit(id, { findings: [{ rule: 'BV-TAP-04', outcome: 'pass' }], context: { today: '2026-06-03' } });
  const seen = await tablet.inspection(id);
  assert.equal(seen.doc.state, 'submitted');
  assert.equal(seen.doc.submitted.revision_hash, seen.revision_hash);
  assert.deepEqual((await contents(tablet)).map((content) => content.kind), ['record.create', 'group.set', 'record.submit']);
  await tablet.sync();
  assert.equal(server.records.get(id).doc.state, 'submitted');
});

test('a new inspection has nothing of the one before', async () => {
  const { tablet, id } = await visit();
  await tablet.addPhoto(id, photoOf(100));
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  const next = await tablet.begin({ protocol: 'tap', place: '16 Main Street' });
  const seen = await tablet.inspection(next);
  assert.deepEqual([seen.doc.photos, seen.draft, seen.doc.groups], [[], {}, {}]);
});

test('custody events chain by hash within their sample set', async () => {
  const { tablet, id } = await visit();
  await tablet.appendCustody(id, { sample_set: 's-1', action: 'relinquish', from_role: 'inspector', to_role: 'courier' });
  await tablet.appendCustody(id, { sample_set: 's-1', action: 'receive', to_role: 'courier' });
  await tablet.appendCustody(id, { sample_set: 's-2', action: 'seal' });
  const events = (await tablet.inspection(id)).doc.custody;
  const { sha256 } = tablet.store.hash;
  assert.deepEqual(events.map(({ says }) => [says.event_no, says.prev]), [[1, ''], [2, await sha256(events[0].event)], [1, '']]);
  assert.equal((await tablet.answers(id)).custody_events.length, 3);
});

test('discarding takes the inspection off the list and its journal with nothing', async () => {
  const { tablet, id } = await visit();
  await tablet.draft(id, 'tap_geometry', { joint_distance_up: measure('7') });
  await tablet.discard(id, 'begun by mistake');
  assert.deepEqual(await tablet.inspections(), []);
  assert.equal((await tablet.inspection(id)).deleted, true);
  const [, gone] = await contents(tablet);
  assert.deepEqual((await contents(tablet)).map((content) => content.kind), ['record.create', 'record.delete']);
  assert.equal(gone.rev, 0, 'nothing was pulled');
  assert.equal(gone.epoch, (await tablet.store.journal.head()).epoch, 'a revision counts in one epoch only');
});

test('the place in the form survives a reload that cuts its way to the database off', async () => {
  const tab = tabStorage();
  const tablet = await enrolled(new FakeServer(), { tab });
  const id = await tablet.begin({ protocol: 'tap', place: 'x' });
  await tablet.position(id, { section: 'main', field: 'field-mh_ref' });
  const kept = tablet.store.outbox.write;
  tablet.store.outbox.write = () => new Promise(() => {});
  tablet.position(id, { section: 'tap_geometry', field: 'field-clock' });
  tablet.store.outbox.write = kept;
  const page = await tablet.reopened();
  assert.equal((await page.resume()).field, 'field-clock');
  page.clock.at += 1000;
  await (await page.reopened({ tab: tabStorage() })).position(id, { section: 'main', field: 'field-direction' });
  assert.equal((await page.resume()).field, 'field-direction', 'another tab went on');
  await page.leave();
  assert.equal(await page.resume(), null);
});

test('the place in the form survives the page', async () => {
  const { tablet, id } = await visit();
  await tablet.position(id, { section: 'geometry', field: 'joint_distance_up' });
  const again = await tablet.reopened();
  const { at, ...where } = await again.resume();
  assert.deepEqual(where, { id, section: 'geometry', field: 'joint_distance_up' });
  await again.leave();
  assert.equal(await again.resume(), null);
});

test('other tabs hear of a change', async () => {
  const { tablet, id } = await visit();
  const other = makeTablet({ name: tablet.name, locks: tablet.locks, clock: tablet.clock });
  const heard = new Promise((resolve) => { other.onChange(resolve); });
  await tablet.addRow(id, 'notes', { note: 'x' });
  assert.equal(await heard, 'op');
});

test('answers are flat: groups, lists, photos and custody', () => {
  const doc = {
    groups: { g: { values: { a: 1 } }, h: { values: { b: measure('2') } } },
    lists: { notes: [{ row: { note: 'n' } }], gas: [] },
    photos: [{ photo_id: 'p', row: { shows: 'seal' } }],
    custody: [{ event: '{}', says: { action: 'seal' } }],
  };
  assert.deepEqual(answersOf(doc, { h: { c: 'typed' } }), {
    a: 1, c: 'typed', notes: [{ note: 'n' }], photos: [{ shows: 'seal', photo: 'p' }], custody_events: [{ action: 'seal' }],
  });
});

test('canonical JSON sorts keys, leaves no space and keeps text as it is', () => {
  assert.equal(canonical({ b: [1, null, 'ß'], a: { d: true, c: undefined } }), '{"a":{"d":true},"b":[1,null,"ß"]}');
});
