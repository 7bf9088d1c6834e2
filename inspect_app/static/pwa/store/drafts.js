/**
 * What is typed and not yet an op: on disk with every keystroke, made into a change when a group is left.
 *
 * A page that is reloaded in the very moment of a keystroke takes the write to the database with it. So the keystroke
 * is noted in the tab's own storage first, which is written at once; the note goes when the database has it.
 */

import { canonical } from './hashes.js';
import { Moved } from './journal.js';
import { uuidv7 } from './uuid.js';

const NOTE = 'typed:';
const NOTE_LIFE_MS = 60_000; // a reload takes a second; an older note is of a session that the browser restored

/**
 * @typedef {object} Draft what is typed and not yet an op
 * @property {string} record_id
 * @property {string} group
 * @property {Record<string, any>} values the group's values whole, as the screen shows them
 * @property {string} replaces the op the screen showed as current when typing began; empty if there was none
 * @property {Record<string, any>} was the values the screen showed then
 * @property {string} edit changes with every keystroke
 */

/**
 * @param {{outbox: import('./database.js').Database, journal: import('./journal.js').Journal,
 *          record: (id: string) => Promise<import('./records.js').Shown|null>,
 *          clock: import('./journal.js').Clock, bus: import('./bus.js').Bus, tab?: Storage}} parts
 *   tab: the tab's own storage, which outlives a reload
 */
export function makeDrafts({ outbox, journal, record, clock, bus, tab = globalThis.sessionStorage }) {
  /** Drafts and commits in the order in which they were asked for, whatever each awaits. */
  let turn = Promise.resolve();
  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  const inTurn = (work) => {
    const result = turn.then(work);
    turn = result.then(() => undefined, () => undefined);
    return result;
  };

  /**
   * Keeps what is typed; call it at every keystroke.
   * @param {string} id
   * @param {string} group one whose name begins with a dot is the screen's own: kept like the others, never sent
   * @param {Record<string, any>} values all values of the group as the screen shows them: what is absent is empty
   */
  function draft(id, group, values) {
    const edit = uuidv7(clock.now());
    const forget = note({ id, group, values, edit, at: clock.now() });
    return inTurn(async () => {
      await write(id, group, values, edit);
      forget();
    });
  }

  /** @param {string} id @param {string} group @param {Record<string, any>} values @param {string} edit @param {boolean} [late] a note of the page before: what came after it stands */
  async function write(id, group, values, edit, late = false) {
    const key = [id, group];
    const there = await outbox.read(['drafts'], (tx) => tx.objectStore('drafts').get(key));
    const current = there ? null : (await record(id))?.doc.groups[group];
    const fresh = { record_id: id, group, replaces: current?.op ?? '', was: current?.values ?? {} };
    await outbox.write(['drafts'], async (tx) => {
      const now = await tx.objectStore('drafts').get(key);
      if (late && now?.edit >= edit) return;
      if (isOwn(group) && !Object.keys(values).length) {
        await tx.objectStore('drafts').delete(key);
        return;
      }
      await tx.objectStore('drafts').put({ ...(now ?? fresh), values, edit });
    });
  }

  /** Notes a keystroke in the tab's storage. @param {{id: string, group: string, values: any, edit: string, at: number}} typed @returns {() => void} takes the note away, unless a later keystroke stands there */
  function note(typed) {
    const key = `${NOTE}${typed.id} ${typed.group}`;
    const text = JSON.stringify(typed);
    try {
      tab?.setItem(key, text);
    } catch {
      // full, or forbidden: the database has it a moment later
    }
    return () => {
      if (tab?.getItem(key) === text) tab.removeItem(key);
    };
  }

  /** Brings what a reload cut off into the database; called before anything is shown. */
  async function recover() {
    for (const key of Object.keys(tab ?? {}).filter((name) => name.startsWith(NOTE))) {
      const { id, group, values, edit, at } = JSON.parse(tab?.getItem(key) ?? '{}');
      const isFresh = Math.abs(clock.now() - at) < NOTE_LIFE_MS;
      if (isFresh && (await record(id))) await inTurn(() => write(id, group, values, edit, true));
      tab?.removeItem(key);
    }
  }

  /** Makes the op of a group that was typed into. Nothing happens if the values are those shown before. */
  const commit = (id, group) => inTurn(() => commitNow(id, [group]));
  const commitAll = (id) => inTurn(() => commitNow(id, null));

  /** @param {string} id @param {string[]|null} groups null: every group with a draft */
  async function commitNow(id, groups) {
    await journal.append(async () => {
      const drafts = (await outbox.read(['drafts'], (tx) => tx.objectStore('drafts').index('record_id').getAll(id)))
        .filter((row) => !isOwn(row.group) && (!groups || groups.includes(row.group)));
      const changed = drafts.filter((row) => canonical(answered(row.values)) !== canonical(answered(row.was)));
      const same = drafts.filter((row) => !changed.includes(row));
      if (same.length) await outbox.write(['drafts'], (tx) => settle(tx, same, []));
      return {
        entries: changed.map(({ group, replaces, values, was }) => ({
          kind: 'group.set', record_id: id, own: { group, replaces, values: answered(values), was },
        })),
        stores: ['drafts'],
        apply: (tx, ops) => settle(tx, changed, ops),
      };
    });
    bus.say('draft');
  }

  /** Takes drafts away; one that was typed into meanwhile stays, on top of the op just made. */
  async function settle(tx, drafts, ops) {
    for (const [i, { record_id, group, edit, values }] of drafts.entries()) {
      const now = await tx.objectStore('drafts').get([record_id, group]);
      if (!now && ops.length) throw new Moved(); // another tab committed it first
      if (!now) continue;
      if (now.edit === edit) await tx.objectStore('drafts').delete([record_id, group]);
      else if (ops[i]) await tx.objectStore('drafts').put({ ...now, replaces: ops[i].op_id, was: answered(values) });
    }
  }

  return { inTurn, draft, commit, commitAll, commitNow, recover };
}

/** Values without those that are no answer. @param {Record<string, any>} values */
function answered(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ''));
}

/** Whether a draft belongs to the screen alone, such as a row that is not added yet. @param {string} group */
export const isOwn = (group) => group.startsWith('.');

/** @param {Draft[]} drafts */
export function draftValues(drafts) {
  return Object.fromEntries(drafts.map((row) => [row.group, row.values]));
}
