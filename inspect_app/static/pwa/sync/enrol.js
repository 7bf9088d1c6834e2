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
      const { loss } = await store.status();
      const before = await store.queue.device();
      const of = village?.slug ?? village;
      if (before && before.epoch !== epoch) await store.photos.doubt();
      if (before && (before.epoch !== epoch || before.village !== of || before.person.id !== person.id)) {
        await store.replica.reset(); // another log, or another share of it: what was pulled no longer fits
      }
      await store.queue.adopt({ device_id, kid, epoch, village: of, person }, store.keys);
      await store.queue.setMeta('person_token', person_token);
      await store.queue.report({ needs: null, reason: null, online: true });
      if (loss) await store.journal.append(async () => ({ entries: [{ kind: 'device.note', record_id: null, own: { text: loss, data: {} } }] }));
      await store.mark();
      await store.protect();
      store.bus.say('enrolled');
      return person;
    });
  }

  /**
   * Signs the person in again, so that receiving goes on. Sending never depended on it.
   * @param {{name: string, password: string}} who
   */
  async function signIn({ name, password }) {
    const head = await store.queue.device();
    if (!head) throw new Refusal('This tablet is not enrolled. Enter the code the office gives you.');
    const { nonce } = (await api.get('/time')).body;
    const answer = await api.post('/auth/person', {
      device_id: head.device_id, nonce, sig: await store.keys.sign(nonce), sign_in_name: name, password,
    });
    if (answer.status !== 200) throw new Refusal(detail(answer, 'Name or password is not right.'));
    await store.queue.setMeta('person_token', answer.body.person_token);
    await store.queue.changeHead(() => ({ person: answer.body.person }));
    await store.queue.report({ needs: null, reason: null });
    store.bus.say('enrolled');
    return answer.body.person;
  }

  return { enrol, signIn };
}

/** Whether a problem only means that the office cannot be reached now. @param {unknown} problem */
export function isOffline(problem) {
  return problem instanceof Unreachable;
}
