/**
 * Inspections as the screens use them. Every function that changes something resolves when it is on disk; the state
 * and the op that carries it are written together or not at all.
 */

import { answersOf } from './answers.js';
import { makeBus } from './bus.js';
import { NotKept } from './database.js';
import { draftValues, isOwn, makeDrafts } from './drafts.js';
import { sha256 } from './hashes.js';
import { localInstant, makeJournal } from './journal.js';
import { copiedFrom, laidOver, lastVisit } from './last_visit.js';
import { makeFiles } from './files.js';
import { makeKeys } from './keys.js';
import { makePhotos } from './photos.js';
import { makeRecords, revisionHash } from './records.js';
import { uuidv7 } from './uuid.js';

/** The draft in which stands what was copied from the last visit; the dot keeps it on the tablet. */
export const COPIED = '.copied';

/**
 * @param {{outbox: import('./database.js').Database, replica: import('./database.js').Database,
 *          clock?: import('./journal.js').Clock, app?: string, random?: () => number, bus?: import('./bus.js').Bus,
 *          journal?: import('./journal.js').Journal, photos?: import('./photos.js').Photos,
 *          files?: import('./files.js').Files, tab?: Storage, refusal?: () => Promise<string|null>, newId?: () => string}} parts
 *   what is left out is made here; store.js hands all of it in
 */
export function makeInspections({ outbox, replica, clock = pageClock, app = '', bus = makeBus(), ...given }) {
  const journal = given.journal ?? makeJournal({ outbox, keys: makeKeys(outbox), clock, app, bus });
  const files = given.files ?? makeFiles({ outbox });
  const photos = given.photos ?? makePhotos({ outbox, files, journal, clock, bus });
  const { record, rows } = makeRecords({ outbox, replica });
  const { inTurn, draft, commit, commitAll, commitNow, recover } = makeDrafts({ outbox, journal, record, clock, bus, tab: given.tab });

  /** Forms, packs, people and the village, as last pulled; null before the first time. */
  const reference = () => replica.read(['reference'], (tx) => tx.objectStore('reference').get('reference')).then((r) => r ?? null);
  const kept = (key) => replica.read(['reference'], (tx) => tx.objectStore('reference').get(key)).then((r) => r ?? null);

  /** What the first screen lists, read once: the assignments and the inspections. */
  async function day() {
    const [[pulled, first], own, known] = await Promise.all([
      replica.read(['assignments', 'meta'], (tx) => Promise.all([tx.objectStore('assignments').getAll(), tx.objectStore('meta').get('first')])),
      rows(),
      reference(),
    ]);
    const byAssignment = new Map([...own].reverse().map((row) => [row.assignment_id, row]));
    // Half of a first download may lack who has begun what: no visits are offered from it.
    const assignments = (first ? [] : pulled)
      .filter((row) => row.state !== 'cancelled')
      .map((row) => {
        const begun = byAssignment.get(row.id);
        return begun ? { ...row, state: row.state === 'open' ? 'begun' : row.state, record_id: begun.id } : row;
      });
    const titles = new Map(known?.protocols.map((form) => [form.protocol, form.title]));
    const inspections = own.map((row) => ({ ...row, title: titles.get(row.protocol) ?? row.protocol }));
    return { assignments, inspections, first: first ?? null };
  }
  const assignments = async () => (await day()).assignments;

  async function inspection(id) {
    const shown = await record(id);
    if (!shown) return null;
    const { doc } = shown;
    return {
      ...shown,
      draft: draftValues(shown.drafts),
      protocol: await kept(`protocol:${doc.protocol}:${doc.protocol_version}`),
      pack: await kept(`pack:${doc.pack}`),
      revision_hash: await revisionHash(doc),
    };
  }

  /**
   * Starts an inspection, or gives the one that this tablet already began for the assignment.
   * @param {{assignment?: any, protocol?: string, place?: string, permit_no?: string, parent_record?: string, prefill?: Record<string, Record<string, any>>}} what
   * @returns {Promise<string>} record id
   */
  async function begin({ assignment, ...own }) {
    const known = await reference();
    if (!known) throw new Error('This tablet has no forms yet. Connect once, then begin.');
    const refusal = await given.refusal?.();
    if (refusal) throw new NotKept(refusal, null);
    const wanted = typeof assignment === 'object' ? assignment?.id : assignment;
    const from = wanted ? (await assignments()).find((row) => row.id === wanted) : undefined;
    if (wanted && !from) throw new Error('This assignment is no longer on the tablet.');
    const kind = from?.protocol ?? own.protocol;
    const form = known.protocols.find((protocol) => protocol.protocol === kind);
    if (!form) throw new Error(`There is no form named ${kind} on this tablet.`);
    let id = given.newId?.() ?? uuidv7(clock.now());
    const isSecond = Boolean(from?.parent_record ?? own.parent_record); // it begins with what its first visit hands on
    const copied = isSecond ? {} : await fromLastVisit({ protocol: kind, place: from?.place ?? own.place ?? '', permit_no: from?.permit_no ?? own.permit_no ?? '',
      manhole: from?.prefill?.structure?.manhole_id }, form.version);
    await journal.append(async (head) => {
      const begun = wanted && (await rows()).find((row) => row.assignment_id === wanted);
      if (begun) {
        id = begun.id;
        return null;
      }
      const handed = from?.prefill ?? own.prefill ?? {};
      const prefill = laidOver(copied, handed);
      return {
        entries: [{
          kind: 'record.create',
          record_id: id,
          own: {
            village: head.village, protocol: kind, protocol_version: form.version, pack: known.pack,
            assignment_id: from?.id ?? null, parent_record: from?.parent_record ?? own.parent_record ?? null,
            place: from?.place ?? own.place ?? '', permit_no: from?.permit_no ?? own.permit_no ?? '', prefill,
          },
        }],
        stores: ['drafts'],
        // What the office filled in is shown as typed, and becomes the inspector's word when the section is left.
        apply: async (tx) => {
          for (const [group, values] of Object.entries(prefill)) {
            await tx.objectStore('drafts').put({ record_id: id, group, values, replaces: '', was: {}, edit: uuidv7(clock.now()) });
          }
          // Which of them were copied is the screen's own: it says so until they are touched.
          if (Object.keys(copied).length) await tx.objectStore('drafts').put({ record_id: id, group: COPIED, values: copied, replaces: '', was: {}, edit: uuidv7(clock.now()) });
        },
      };
    });
    return id;
  }

  /** What the last visit to the same place hands on, where this tablet holds it. @param {Parameters<typeof lastVisit>[1]} next @param {string} version of the new form */
  async function fromLastVisit(next, version) {
    const last = lastVisit(await rows(), next);
    const [form, shown] = last ? await Promise.all([kept(`protocol:${next.protocol}:${version}`), record(last.id)]) : [];
    return last && shown ? copiedFrom(form, shown.doc.groups, last) : {};
  }

  async function addRow(id, list, row) {
    const row_id = uuidv7(clock.now());
    await journal.append(async () => ({ entries: [{ kind: 'list.add', record_id: id, own: { list, row_id, row } }] }));
    return row_id;
  }

  /**
   * Binds a signature to the record as it stands: what is typed is committed first.
   * @param {string} id
   * @param {{field: string, group?: string, role: string, name: string, points?: any, typed?: string, png?: ArrayBuffer|null,
   *          pin?: {set_at: string}, witness?: string}} signature
   *   group: the one that holds the field, where a form asks for a signature among its answers
   * @returns {Promise<string>} signature id
   */
  function sign(id, { field, group = 'signatures', role, name, points, typed, png, pin, witness }) {
    return inTurn(async () => {
      await commitNow(id, null);
      const signature_id = uuidv7(clock.now());
      const png_sha256 = png ? await sha256(png) : null;
      if (png) await files.write(`signatures/${signature_id}`, png);
      await journal.append(async () => {
        const shown = await record(id);
        if (!shown) throw new Error('This inspection is not on the tablet.');
        const current = shown.doc.groups[group];
        const mark = { signature_id, field, role, name, ...(typed === undefined ? { points: points ?? [], png_sha256 } : { typed }),
          ...(pin && { pin }), ...(witness && { witness }),
          revision_hash: await revisionHash(shown.doc), signed_at: localInstant(clock.now()) };
        return {
          entries: [
            { kind: 'list.add', record_id: id, own: { list: 'signature_marks', row_id: signature_id, row: mark } },
            { kind: 'group.set', record_id: id, own: { group, replaces: current?.op ?? '',
              values: { ...current?.values, [field]: signature_id }, was: current?.values ?? {} } },
          ],
        };
      });
      return signature_id;
    });
  }

  /**
   * Adds an event to the chain of one sample set; the event names the one before it by hash.
   * @param {string} id
   * @param {Record<string, any>} event without prev and event_no
   */
  async function appendCustody(id, event) {
    await journal.append(async () => {
      const shown = await record(id);
      const sample_set = event.sample_set ?? id;
      const chain = (shown?.doc.custody ?? []).map((entry) => entry.event)
        .filter((text) => typeof text === 'string' && JSON.parse(text).sample_set === sample_set);
      const last = chain.at(-1);
      const text = JSON.stringify({
        ...event, sample_set, prev: last ? await sha256(last) : '', event_no: chain.length + 1,
        at_device: event.at_device ?? localInstant(clock.now()),
      });
      return { entries: [{ kind: 'custody.append', record_id: id, own: { event: text } }] };
    });
  }

  /** Hands the inspection to the office, as it is shown. @param {string} id @param {{findings: any[], context: any}} judged */
  function submit(id, { findings, context }) {
    return inTurn(async () => {
      await commitNow(id, null);
      await journal.append(async () => {
        const shown = await record(id);
        if (!shown) throw new Error('This inspection is not on the tablet.');
        const revision_hash = await revisionHash(shown.doc);
        return { entries: [{ kind: 'record.submit', record_id: id, own: { context, findings, pack: shown.doc.pack, revision_hash } }] };
      });
    });
  }

  /** Goes on with a draft on the newest version of its form; what is typed is committed first. @param {string} id @param {string} reason */
  const moveForm = (id, reason = '') => inTurn(async () => {
    await commitNow(id, null);
    await journal.append(async () => {
      const [shown, known] = await Promise.all([record(id), reference()]);
      const form = known?.protocols.find((one) => one.protocol === shown?.doc.protocol);
      if (!form || form.version === shown?.doc.protocol_version) return null;
      return { entries: [{ kind: 'record.move_form', record_id: id, own: { protocol: form.protocol, protocol_version: form.version, reason } }] };
    });
  });

  /** Takes an inspection off the list; its journal and its photos stay and are sent. */
  const discard = (id, reason) => inTurn(async () => {
    await journal.append(async () => ({
      entries: [{ kind: 'record.delete', record_id: id, own: { reason: reason ?? '', ...((await record(id))?.seen ?? { rev: 0 }) } }],
      stores: ['drafts'],
      apply: async (tx) => {
        for (const key of await tx.objectStore('drafts').index('record_id').getAllKeys(id)) await tx.objectStore('drafts').delete(key);
      },
    }));
  });

  /**
   * Settles a conflict.
   * @param {string} conflict_id
   * @param {{take: 'current'|'candidate'|'value', value?: any, reason?: string}} choice value: the candidate's op, or
   *   the group's values as measured again
   */
  async function resolve(conflict_id, { take, value = null, reason = '' }) {
    const conflict = await replica.read(['conflicts'], (tx) => tx.objectStore('conflicts').get(conflict_id));
    if (!conflict) throw new Error('This conflict is not on the tablet any more.');
    const saw = [conflict.current_op, ...(conflict.candidates ?? []).map((candidate) => candidate.op)].filter(Boolean);
    await journal.append(async () => ({
      entries: [{ kind: 'conflict.resolve', record_id: conflict.record_id, own: { conflict_id, take, value, saw, reason } }],
    }));
  }

  const tab = given.tab ?? globalThis.sessionStorage;
  /** Where the inspector is, noted in the tab too: a reload may cut the write to the database off. @param {object|null} at */
  function remember(at) {
    try {
      tab?.setItem('position', JSON.stringify(at));
    } catch {
      // full, or forbidden: where one was is a comfort, and the database has it a moment later
    }
    return putMeta('position', at);
  }

  /** The later of what the database and the tab remember. */
  async function resume() {
    const kept = (await outbox.read(['meta'], (tx) => tx.objectStore('meta').get('position'))) ?? null;
    const noted = JSON.parse(tab?.getItem('position') ?? 'null');
    return noted && noted.at >= (kept?.at ?? 0) ? noted : kept;
  }

  const putMeta = (key, value) => outbox.write(['meta'], (tx) => tx.objectStore('meta').put(value, key));

  return {
    reference,
    /** The rules of a pack that this tablet holds, by its hash. */
    pack: (hash) => kept(`pack:${hash}`),
    /** A form that this tablet holds. */
    form: (kind, version) => kept(`protocol:${kind}:${version}`),
    /** What is said for the English texts of forms and rules in another language. @param {string} language @returns {Promise<Record<string, string>>} */
    translations: async (language) => (await kept('translations'))?.[language] ?? {},
    assignments,
    assignment: async (id) => (await assignments()).find((row) => row.id === id) ?? null,
    inspections: async () => (await day()).inspections,
    day,
    inspection,
    answers: async (id) => {
      const shown = await record(id);
      return shown ? answersOf(shown.doc, draftValues(shown.drafts.filter((row) => !isOwn(row.group)))) : null;
    },
    begin, draft, commit, commitAll, recover, addRow, sign, appendCustody, submit, moveForm, discard, resolve,
    addPhoto: (id, photo) => photos.add(id, photo),
    photo: (id, photo_id) => photos.shown(photo_id),
    /** Remembers where the inspector is, so that a crash or a reload comes back to it. */
    position: (id, { section, field = null }) => remember({ id, section, field, at: clock.now() }),
    leave: () => remember(null),
    resume,
    /** @param {(topic: string) => void} callback called after every change, of any tab @returns {() => void} */
    onChange: (callback) => bus.listen(callback),
  };
}

/** @typedef {ReturnType<typeof makeInspections>} Inspections */

/** @type {import('./journal.js').Clock} */
export const pageClock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
