/** Where the tablet is now, as a field of what is recorded; never read out of a photo. */

const TIMEOUT_MS = 15_000;
const NOT_OLDER_MS = 10_000;
const PAUSE_MS = 250;
/** A receiver gives a fix a second; a tablet that lies still and has none gives no second one however long one waits. */
const NEXT_WITHIN_MS = 3_000;
/** A browser that gives the same fix so many times has no newer one. */
const STALE = 4;

/** Metres: a fix that is worse than a house lot is wide finds no lateral again. */
export const GATE_M = 30;
/** Fixes that are averaged. */
const WANTED = 4;

/** The position could not be had; the message is for the person. */
export class NoPlace extends Error {
  /** @param {'denied'|'unavailable'|'timeout'|'poor'} kind @param {string} message @param {number} [accuracy_m] of the best fix */
  constructor(kind, message, accuracy_m) {
    super(message);
    this.kind = kind;
    this.accuracy_m = accuracy_m;
  }
}

/**
 * @typedef {object} Place
 * @property {number} lat degrees
 * @property {number} lon degrees
 * @property {number} accuracy_m
 * @property {string} at instant of the (last) fix
 * @property {'gps'} source the browser's own position; what is set by hand says 'manual'
 * @property {number} [fixes] how many were averaged
 * @property {boolean} [simulated] the browser said that another program made this position up, or a receiver outside feeds it
 */

/**
 * One fix, as fast as there is one: for the stamp of a photo.
 * @param {{timeout?: number, not_older?: number, geolocation?: any}} [how]
 * @returns {Promise<Place>}
 */
export function current({ timeout = TIMEOUT_MS, not_older = NOT_OLDER_MS, geolocation = globalThis.navigator?.geolocation } = {}) {
  return new Promise((resolve, reject) => {
    if (!geolocation) {
      reject(new NoPlace('unavailable', 'This tablet gives no position. Type the address instead.'));
      return;
    }
    geolocation.getCurrentPosition(
      (/** @type {any} */ found) => resolve(placeOf(found)),
      (/** @type {any} */ problem) => reject(refused(problem)),
      { enableHighAccuracy: true, timeout, maximumAge: not_older },
    );
  });
}

/**
 * The mean of several fresh fixes, those beyond the gate left out. A receiver's fixes share their error, so the mean is
 * called no better than the fixes it is made of.
 * @param {{gate_m?: number, wanted?: number, timeout?: number, geolocation?: any, sleep?: (ms: number) => Promise<void>,
 *          now?: () => number, heard?: (fixes: number, wanted: number) => void}} [how]
 * @returns {Promise<Place>} rejects with NoPlace, kind poor and its accuracy, where no fix was within the gate
 */
export async function averaged({ gate_m = GATE_M, wanted = WANTED, timeout = TIMEOUT_MS, geolocation, heard, sleep = pause,
  now = () => performance.now() } = {}) {
  const end = now() + timeout;
  /** @type {Place[]} */
  const good = [];
  let best = Infinity;
  let last = '';
  let stale = 0;
  while (good.length < wanted) {
    const left = end - now();
    if (left <= 0) break;
    try {
      const fix = await current({ timeout: good.length ? Math.min(left, NEXT_WITHIN_MS) : left, not_older: 0, ...(geolocation && { geolocation }) });
      best = Math.min(best, fix.accuracy_m);
      stale = fix.at === last ? stale + 1 : 0;
      if (stale >= STALE && good.length) break;
      if (!stale && fix.accuracy_m <= gate_m) { good.push(fix); heard?.(good.length, wanted); } else await sleep(PAUSE_MS);
      last = fix.at;
    } catch (problem) {
      if (/** @type {NoPlace} */ (problem).kind === 'denied' || (best === Infinity && !good.length)) throw problem;
      break; // what was found until now counts
    }
  }
  if (!good.length) throw new NoPlace('poor', 'The position is not good enough. Wait in the open, or set it by hand.', best);
  return mean(good);
}

/** Each fix weighs by its accuracy: one good to 3 m says more than one good to 20 m. @param {Place[]} fixes @returns {Place} */
function mean(fixes) {
  const weights = fixes.map((fix) => 1 / Math.max(fix.accuracy_m, 0.1) ** 2);
  const all = weights.reduce((sum, one) => sum + one, 0);
  const of = (/** @type {'lat'|'lon'|'accuracy_m'} */ name) => fixes.reduce((sum, fix, n) => sum + fix[name] * weights[n], 0) / all;
  return {
    lat: rounded(of('lat'), 6), lon: rounded(of('lon'), 6), accuracy_m: rounded(of('accuracy_m'), 1), at: /** @type {Place} */ (fixes.at(-1)).at,
    source: 'gps', fixes: fixes.length, ...(fixes.some((fix) => fix.simulated) && { simulated: true }),
  };
}

/** @param {any} found as the browser gives it @returns {Place} */
function placeOf(found) {
  const { coords, timestamp } = found;
  // No standard names it; browsers inside of apps pass on what Android says of the provider.
  const simulated = [found, coords].some((from) => from.mocked === true || from.simulated === true || from.isFromMockProvider === true);
  return {
    // Six decimals are 11 cm; more would only pretend.
    lat: rounded(coords.latitude, 6),
    lon: rounded(coords.longitude, 6),
    accuracy_m: rounded(coords.accuracy, 1),
    at: new Date(timestamp).toISOString(),
    source: 'gps',
    ...(simulated && { simulated: true }),
  };
}

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {number} value @param {number} digits */
const rounded = (value, digits) => Math.round(value * 10 ** digits) / 10 ** digits;

/** @param {{code: number}} problem */
function refused({ code }) {
  if (code === 1) return new NoPlace('denied', 'The position is not allowed for this app. Allow it in the settings of the browser.');
  if (code === 3) return new NoPlace('timeout', 'No position was found in time. Step into the open and try again.');
  return new NoPlace('unavailable', 'The tablet cannot tell where it is. Type the address instead.');
}
