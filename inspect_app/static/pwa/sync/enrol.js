/** Makes this storage an enrolled device, and signs a person in on it. */

import { Unreachable, detail, makeApi } from './api.js';

/** The server refused; the message is for the person. */
export class Refusal extends Error {}

/**
 * @param {{store: import('../store/store.js').Store, fetch?: typeof globalThis.fetch,
 *          clock?: import('../store/journal.js').Clock, random?: () => number, locks?: any, origin?: string}} parts
 */
export function makeEnrolment({
  store, fetch = (...args) => globalThis.fetch(...args), clock = store.clock, random = Math.random, locks = store.locks, origin = '',
}) {
  const api = makeApi({ store, fetch, clock, random, locks, log: () => undefined, origin });
  const people = async () => (await store.people()).makePeople({ store });

  /**
   * Enrols with the office's one-time code. What an earlier enrolment did not send is numbered and signed anew.
   * @param {{code: string, name: string}} what
   * @returns {Promise<{id: string, name: string, roles: string[]}>} the person
   */
  async function enrol({ code, name }) {
    return locks.request('enrol', async () => {
      const public_key = await store.keys.prepare();
      const answer = await api.post('/devices', { code, public_key, name, app: store.app });
      if (answer.status !== 200 && answer.status !== 201) {
        throw new Refusal(detail(answer, 'The office did not accept this code. Check it, or ask for a new one.'));
      }
      const { device_id, kid, epoch, village, person, person_token } = answer.body;
      const { loss, lost } = await store.status();
      const before = await store.queue.device();
      const of = village?.slug ?? village;
      if (before && before.epoch !== epoch) await store.photos.doubt();
      await store.queue.adopt({ device_id, kid, epoch, village: of, person }, store.keys, (await store.people()).changedHands);
      await store.replica.turn(); // of another log or another person: what was pulled before does not count
      await store.queue.setMeta('person_token', person_token);
      await store.queue.report({ needs: null, reason: null, online: true });
      if (loss) await store.journal.append(async () => ({ entries: [{ kind: 'device.note', record_id: null, own: { text: loss,
        data: { device_id: lost?.device_id, lost_ops: lost?.waiting, lost_photos: lost?.photos, lost_bytes: lost?.bytes } } }] }));
      await store.mark();
      await store.protect();
      if (before && before.person?.id !== person.id) store.bus.say('person');
      store.bus.say('enrolled');
      return person;
    });
  }

  /**
   * Signs a person in: the same one, so that receiving goes on, or another one, who then sees their own work only.
   * Without a connection the password opens what it locked at the last sign-in here. Sending depends on none of it.
   * @param {{name: string, password: string}} who
   */
  async function signIn({ name, password }) {
    const head = await store.queue.device();
    if (!head) throw new Refusal('This tablet is not enrolled. Enter the code the office gives you.');
    let answer;
    try {
      const { nonce } = (await api.get('/time')).body;
      answer = await api.post('/auth/person', {
        device_id: head.device_id, nonce, sig: await store.keys.sign(nonce), sign_in_name: name, password,
      });
    } catch (problem) {
      if (!(problem instanceof Unreachable)) throw problem;
      const kept = await (await people()).unlock(name, password);
      await (await people()).become(kept.person, kept.token);
      return kept.person;
    }
    if (answer.status !== 200) throw new Refusal(detail(answer, 'Name or password is not right.'));
    const { person, person_token: token } = answer.body;
    const { remember, become } = await people();
    await remember(name, password, { person, token });
    await become(person, token);
    return person;
  }

  return {
    enrol, signIn,
    /** Signs out, also without a connection. What was recorded stays, is sent, and is shown to its author alone. */
    signOut: async () => (await people()).become(null, null),
    people: async () => (await people()).all(),
  };
}

/** Whether a problem only means that the office cannot be reached now. @param {unknown} problem */
export function isOffline(problem) {
  return problem instanceof Unreachable;
}
