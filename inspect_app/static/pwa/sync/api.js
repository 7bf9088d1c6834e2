/**
 * Talks to the office's server. An answer that is not provably the server's own (no X-Sync header, not JSON: a captive
 * portal, a proxy's page) counts as no answer at all.
 */

const PREFIX = '/api/v1';
const OPS_TIMEOUT_MS = 30_000;
export const CHUNK_TIMEOUT_MS = 60_000;
const RENEW_BEFORE_MS = 60_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** The server was not reached, or it asked for patience. A state, not an error of anybody's. */
export class Unreachable extends Error {
  /** @param {string} why @param {number|null} [retryAfterMs] @param {boolean} [failed] the server met a defect of its own */
  constructor(why, retryAfterMs = null, failed = false) {
    super(why);
    this.retryAfterMs = retryAfterMs;
    this.failed = failed;
  }
}

/** The server was reached and wants something of a person before this can go on. The queue stays as it is. */
export class Paused extends Error {
  /** @param {'sign_in'|'revoked'|'enrol_again'|'enrol'} needs @param {string} reason a sentence */
  constructor(needs, reason) {
    super(reason);
    this.needs = needs;
  }
}

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {any} body JSON, or null where there is none
 * @property {Headers} headers
 * @property {string} [person_id] whose token it was asked with
 *
 * @typedef {object} Request
 * @property {any} [json]
 * @property {BodyInit} [bytes]
 * @property {Record<string, string>} [headers]
 * @property {'device'|'person'|null} [as]
 * @property {number} [timeout] milliseconds
 * @property {boolean} [binary] the answer is bytes
 */

/**
 * @param {{store: import('../store/store.js').Store, fetch: typeof globalThis.fetch,
 *          clock: import('../store/journal.js').Clock, random: () => number, locks: any, log: (entry: object) => void,
 *          origin?: string}} parts
 */
export function makeApi({ store, fetch, clock, random, locks, log, origin = '' }) {
  /** @type {{token: string, until: number, device_id: string}|null} */
  let grant = null;

  /** @param {string} method @param {string} path @param {Request} [request] @returns {Promise<Answer>} */
  async function once(method, path, { json, bytes, headers = {}, timeout = OPS_TIMEOUT_MS, binary = false } = {}) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), timeout);
    const began = clock.now();
    let response;
    let text = '';
    /** @type {ArrayBuffer|null} */
    let raw = null;
    try {
      response = await fetch(origin + path, {
        method,
        body: json === undefined ? bytes : JSON.stringify(json),
        headers: json === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
        redirect: 'error',
        cache: 'no-store',
        credentials: 'omit',
        signal: stop.signal,
      });
      if (binary && response.ok) raw = await response.arrayBuffer();
      else if (method !== 'HEAD') text = await response.text();
    } catch (problem) {
      throw new Unreachable(stop.signal.aborted ? 'The office did not answer in time.' : 'There is no connection to the office.');
    } finally {
      clearTimeout(timer);
    }
    if (response.headers.get('X-Sync') !== '1') {
      throw new Unreachable('Something else answered in the place of the office: is there a sign-in page for this network?');
    }
    const body = raw ?? readJson(text, response.headers.get('Content-Type') ?? '');
    if (response.status === 429 || response.status >= 500) {
      throw new Unreachable('The office is busy and will be asked again.', retryAfter(response.headers, clock.now()), response.status === 500);
    }
    await measure(body?.server_time, began, clock.now());
    return { status: response.status, body, headers: response.headers };
  }

  /** Notes how far this tablet's clock is off: half a round trip is the most the figure can be wrong. */
  async function measure(server_time, began, ended) {
    const server = Date.parse(server_time ?? '');
    if (Number.isNaN(server) || ended < began || ended - began > 10_000) return;
    const offset_ms = server - (began + ended) / 2;
    const known = await store.queue.meta('clock');
    if (known && Math.abs(known.offset_ms - offset_ms) < 100 && ended - known.at < 60_000) return;
    await store.queue.setMeta('clock', { offset_ms, at: ended });
  }

  /** A token for the device's own key; needs no person. */
  async function deviceToken() {
    const head = await store.queue.device();
    if (!head) throw new Paused('enrol', 'This tablet is not enrolled. Enter the code the office gives you.');
    const good = () => grant && grant.device_id === head.device_id && grant.until - clock.now() > RENEW_BEFORE_MS;
    if (good()) return /** @type {any} */ (grant).token;
    return locks.request('auth', async () => {
      if (good()) return /** @type {any} */ (grant).token;
      const { nonce } = (await once('GET', `${PREFIX}/time`)).body;
      const sig = await store.keys.sign(nonce);
      const answer = await once('POST', `${PREFIX}/auth/device`, { json: { device_id: head.device_id, nonce, sig } });
      if (answer.status !== 200) {
        log({ step: 'auth', status: answer.status });
        throw new Paused('enrol_again', detail(answer, 'The office does not know this tablet any more.') +
          ' Everything is kept here. Ask the office for a new code and enrol again.');
      }
      // The tablet's clock may be wrong by days, so the token's life is counted from now and not from its date.
      grant = { token: answer.body.token, device_id: head.device_id, until: clock.now() + lifeOf(answer) };
      return grant.token;
    });
  }

  /** @param {string} method @param {string} path @param {Request} [request] @returns {Promise<Answer>} */
  async function call(method, path, request = {}) {
    const headers = { ...request.headers };
    if (request.as === 'device') {
      const waiting = await store.queue.waiting();
      headers['X-Unsent-Ops'] = String(waiting.ops);
      headers['X-Unsent-Bytes'] = String(waiting.bytes);
    }
    for (let attempt = 1; ; attempt++) {
      const person = request.as === 'person' ? await signedIn() : null;
      if (request.as) headers.Authorization = `Bearer ${person ? person.token : await deviceToken()}`;
      const answer = await once(method, path.startsWith('/api/') ? path : PREFIX + path, { ...request, headers });
      if (request.as === 'device' && answer.status === 401 && attempt === 1) {
        grant = null; // over, or the server forgot it: a new one costs a signature
        continue;
      }
      if (request.as === 'device' && answer.status === 401) {
        throw new Paused('enrol_again', detail(answer, 'The office refused this tablet.') + ' Everything is kept here.');
      }
      return person ? { ...answer, person_id: person.id } : answer;
    }
  }

  async function signedIn() {
    const [head, token] = await store.outbox.read(['meta'], (tx) => Promise.all([
      tx.objectStore('meta').get('device'), tx.objectStore('meta').get('person_token'),
    ]));
    if (!token || !head?.person) throw new Paused('sign_in', 'Sign in to receive what is new. Sending goes on without it.');
    return { id: head.person.id, token };
  }

  return {
    call,
    /** @param {string} path @param {any} json @param {'device'|'person'|null} [as] */
    post: (path, json, as = null) => call('POST', path, { json, as }),
    /** @param {string} path @param {'device'|'person'|null} [as] @param {Record<string, string>} [headers] */
    get: (path, as = null, headers = {}) => call('GET', path, { as, headers }),
    /** How long to wait before the attempt after this many failures: full jitter, so that tablets do not march in step. */
    pause: (failures) => random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures),
    sleep: (ms) => (clock.sleep ? clock.sleep(ms) : new Promise((resolve) => setTimeout(resolve, ms))),
    forgetGrant() {
      grant = null;
    },
  };
}

/** @typedef {ReturnType<typeof makeApi>} Api */

/** What the server said went wrong, or a sentence of ours. @param {Answer} answer @param {string} otherwise */
export function detail(answer, otherwise) {
  return typeof answer.body?.detail === 'string' ? answer.body.detail : otherwise;
}

function readJson(text, type) {
  if (!text) return null;
  if (!/\bjson\b/.test(type)) throw new Unreachable('The answer was not from the office.');
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreachable('The answer of the office broke off.');
  }
}

/** @param {Headers} headers @param {number} now */
function retryAfter(headers, now) {
  const value = headers.get('Retry-After');
  if (!value) return null;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_PAUSE_MS) : null;
}

function lifeOf(answer) {
  const served = Date.parse(answer.headers.get('Date') ?? answer.body.server_time ?? '');
  const life = Date.parse(answer.body.expires_at) - served;
  return life > 0 ? Math.min(life, 15 * 60_000) : 10 * 60_000;
}
