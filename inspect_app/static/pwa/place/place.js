/** Where the tablet is now, as a field of what is recorded; never read out of a photo. */

const TIMEOUT_MS = 15_000;
const NOT_OLDER_MS = 10_000;

/** The position could not be had; the message is for the person. */
export class NoPlace extends Error {
  /** @param {'denied'|'unavailable'|'timeout'} kind @param {string} message */
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/**
 * @typedef {{lat: number, lon: number, accuracy_m: number, at: string}} Place degrees, metres, instant of the fix
 *
 * @param {{timeout?: number, geolocation?: any}} [how]
 * @returns {Promise<Place>}
 */
export function current({ timeout = TIMEOUT_MS, geolocation = globalThis.navigator?.geolocation } = {}) {
  return new Promise((resolve, reject) => {
    if (!geolocation) {
      reject(new NoPlace('unavailable', 'This tablet gives no position. Type the address instead.'));
      return;
    }
    geolocation.getCurrentPosition(
      ({ coords, timestamp }) => resolve({
        // Six decimals are 11 cm; more would only pretend.
        lat: rounded(coords.latitude, 6),
        lon: rounded(coords.longitude, 6),
        accuracy_m: rounded(coords.accuracy, 1),
        at: new Date(timestamp).toISOString(),
      }),
      (problem) => reject(refused(problem)),
      { enableHighAccuracy: true, timeout, maximumAge: NOT_OLDER_MS },
    );
  });
}

/** @param {number} value @param {number} digits */
const rounded = (value, digits) => Math.round(value * 10 ** digits) / 10 ** digits;

/** @param {{code: number}} problem */
function refused({ code }) {
  if (code === 1) return new NoPlace('denied', 'The position is not allowed for this app. Allow it in the settings of the browser.');
  if (code === 3) return new NoPlace('timeout', 'No position was found in time. Step into the open and try again.');
  return new NoPlace('unavailable', 'The tablet cannot tell where it is. Type the address instead.');
}
