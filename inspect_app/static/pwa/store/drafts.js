/**
 * What is typed and not yet an op: on disk with every keystroke, made into a change when a group is left.
 */

import { canonical } from './hashes.js';
import { Moved } from './journal.js';
import { uuidv7 } from './uuid.js';

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
 *          clock: import('./journal.js').Clock, bus: import('./bus.js').Bus}} parts
 */
export function makeDrafts({ outbox, journal, record, clock, bus }) {
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
    return inTurn(async () => {
      const key = [id, group];
      const there = await outbox.read(['drafts'], (tx) => tx.objectStore('drafts').get(key));
      const current = there ? null : (await record(id))?.doc.groups[group];
      const fresh = { record_id: id, group, replaces: current?.op ?? '', was: current?.values ?? {} };
      await outbox.write(['drafts'], async (tx) => {
        if (isOwn(group) && !Object.keys(values).length) {
          await tx.objectStore('drafts').delete(key);
          return;
        }
        const base = (await tx.objectStore('drafts').get(key)) ?? fresh;
        await tx.objectStore('drafts').put({ ...base, values, edit: uuidv7(clock.now()) });
      });
    });
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

  return { inTurn, draft, commit, commitAll, commitNow };
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
