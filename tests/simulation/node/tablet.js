/** A tablet of the simulation: the real store and the real engine in one or two tabs, on a storage that outlives them. */

import { contentOf } from '../../../inspect_app/static/pwa/store/journal.js';
import { openStore } from '../../../inspect_app/static/pwa/store/store.js';
import { makeEngine } from '../../../inspect_app/static/pwa/sync/engine.js';
import { makeEnrolment } from '../../../inspect_app/static/pwa/sync/enrol.js';
import { makeLocks } from '../../pwa/store/tablet.js';
import { Life, Storage } from './storage.js';

/** What the browser promises of the storage: it stays, and there is room. */
const promised = {
  persist: async () => true,
  persisted: async () => true,
  estimate: async () => ({ usage: 0, quota: 64e9 }),
};

export class Tablet {
  /** @param {string} name @param {{fetch: typeof fetch, random: () => number, clock: any}} outside */
  constructor(name, outside) {
    this.name = name;
    this.outside = outside;
    this.storage = new Storage(`${name}-`);
    this.app = '2.0.0';
    this.told = new Set(); // ops whose content was told
    this.copy = null;
    this.begin();
  }

  /** The browser starts. */
  begin() {
    this.storage.life = new Life();
    this.locks = makeLocks();
    this.tabs = [];
  }

  /** One of the tabs, opened if it is not. @param {number} number */
  async tab(number = 0) {
    if (!this.tabs[number]) {
      const { storage, locks, app, outside } = this;
      const { life } = storage;
      const store = openStore({
        name: storage.prefix, clock: outside.clock, app, locks, storage: promised, directory: storage.directory(), preview: async () => null,
      });
      const fetch = async (url, options) => {
        if (life.dead) return new Promise(() => {});
        const answer = await outside.fetch(this.name, url, options);
        try {
          life.moment();
        } catch {
          return new Promise(() => {}); // nobody is there any more to read it
        }
        return answer;
      };
      const parts = { store, fetch, clock: outside.clock, random: outside.random, locks, log: () => undefined };
      this.tabs[number] = { store, engine: makeEngine(parts), enrolment: makeEnrolment(parts), ...store.inspections };
      await store.start();
    }
    return this.tabs[number];
  }

  /** The browser ends, between two things that it does. */
  async end() {
    this.storage.life.end();
    for (const tab of this.tabs) {
      tab?.store.bus.close();
      await tab?.store.close();
    }
    this.begin();
  }

  // ---------------------------------------------------------------- what is done on it

  async enrol({ code }) {
    await (await this.tab()).enrolment.enrol({ code, name: this.name });
  }

  async signIn({ name, password }) {
    await (await this.tab()).enrolment.signIn({ name, password });
  }

  /** One pass; `tabs` 2: both tabs want to at once. @returns what the engines said */
  async sync({ tabs = 1 }) {
    const open = await Promise.all([this.tab(0), ...(tabs > 1 ? [this.tab(1)] : [])]);
    return Promise.all(open.map((tab) => tab.engine.run()));
  }

  start({ tab, place }) {
    return this.tab(tab).then((on) => on.begin({ protocol: 'manhole', place }));
  }

  /** The values of each group on the screen, and the groups that are being typed into. */
  async look({ tab, id }) {
    const shown = await (await this.tab(tab)).inspection(id);
    const groups = Object.entries(shown?.doc.groups ?? {}).map(([name, group]) => [name, group.values]);
    return { groups: Object.fromEntries(groups), typing: (shown?.drafts ?? []).map((draft) => draft.group) };
  }

  async type({ tab, id, group, values }) {
    await (await this.tab(tab)).draft(id, group, values);
  }

  async leave({ tab, id, group }) {
    await (await this.tab(tab)).commit(id, group);
  }

  async note({ tab, id, note }) {
    await (await this.tab(tab)).addRow(id, 'notes', { note });
  }

  async photograph({ tab, id, bytes, taken_at }) {
    const data = Uint8Array.from(Buffer.from(bytes, 'base64')).buffer;
    await (await this.tab(tab)).addPhoto(id, { bytes: data, mime: 'image/jpeg', shows: 'overview', proves: '', taken_at, from_library: false });
  }

  async handOver({ tab, id, event }) {
    await (await this.tab(tab)).appendCustody(id, event);
  }

  async submit({ tab, id, context }) {
    await (await this.tab(tab)).submit(id, { findings: [], context });
  }

  async discard({ tab, id }) {
    await (await this.tab(tab)).discard(id, 'begun by mistake');
  }

  async resolve({ tab, conflict_id, choice }) {
    await (await this.tab(tab)).resolve(conflict_id, choice);
  }

  /** An op that no screen makes, as a broken release might. */
  async poison({ tab, id, kind, own }) {
    const { store } = await this.tab(tab);
    await store.journal.append(async () => ({ entries: [{ kind, record_id: id, own }] }));
  }

  // ---------------------------------------------------------------- what befalls it

  async restart({ app }) {
    await this.end();
    this.app = app ?? this.app;
  }

  async keepCopy() {
    this.copy = await this.storage.copied();
  }

  async putBack() {
    await this.end();
    await this.storage.putBack(this.copy);
  }

  async fill({ full }) {
    this.storage.files.full = full;
  }

  /** A byte of a photo that waits changes on the disk. @returns {Promise<string|null>} which one */
  async damage({ at }) {
    const { store } = await this.tab();
    const waiting = (await store.photos.all()).filter((photo) => photo.state === 'waiting');
    const photo = waiting[at % (waiting.length || 1)];
    if (!photo) return null;
    const [, file] = [...this.storage.files.entries.get('photos').entries].find(([name]) => name.startsWith(photo.photo_id)) ?? [];
    if (!file?.bytes) return null;
    file.bytes = file.bytes.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
    return photo.photo_id;
  }

  // ---------------------------------------------------------------- what is on it

  async records() {
    return (await (await this.tab()).inspections()).map((row) => row.id);
  }

  async conflicts() {
    const { store } = await this.tab();
    const all = await store.replicaDatabase.read(['conflicts'], (tx) => tx.objectStore('conflicts').getAll());
    return all.filter((conflict) => conflict.state === 'open');
  }

  /** What the simulation asks after everything that was done. */
  async state() {
    const { store } = await this.tab();
    const [head, report, ops, answered, photos] = await store.outbox.read(['meta', 'ops', 'results', 'photos'], (tx) => Promise.all([
      tx.objectStore('meta').get('device'), tx.objectStore('meta').get('sync'), tx.objectStore('ops').getAll(),
      tx.objectStore('results').getAllKeys(), tx.objectStore('photos').index('state').getAllKeys('waiting'),
    ]));
    const fresh = ops.filter((op) => !this.told.has(op.op_id));
    for (const op of fresh) this.told.add(op.op_id);
    return {
      device_id: head?.device_id ?? '',
      needs: report?.needs ?? '',
      ops: head ? head.last_seq - head.acknowledged : 0,
      photos: photos.length,
      fresh: fresh.map((op) => ({ op_id: op.op_id, content: contentOf(op) })),
      answered,
    };
  }

  /** Everything that the invariants look at. */
  async dump() {
    const { store } = await this.tab();
    const ops = await store.outbox.read(['ops'], (tx) => tx.objectStore('ops').getAll());
    const records = await store.replicaDatabase.read(['records'], (tx) => tx.objectStore('records').getAll());
    const photos = await Promise.all((await store.photos.all()).map(async (photo) => ({
      photo_id: photo.photo_id, sha256: photo.sha256, state: photo.state,
      held: Boolean(await store.files.read(store.photoPath(photo.photo_id, 'original'))),
    })));
    return { ops: ops.map(({ op_id, hash }) => ({ op_id, hash })), records, photos };
  }
}
