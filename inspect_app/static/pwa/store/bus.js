/** Tells every tab of this tablet that something on disk changed. Carries no data: readers read the disk again. */

/**
 * @typedef {{say: (topic: string) => void, listen: (callback: (topic: string) => void) => () => void, close: () => void}} Bus
 */

/**
 * @param {string} [name] one channel per pair of databases
 * @returns {Bus}
 */
export function makeBus(name = 'inspect') {
  const listeners = new Set();
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name);
  const tell = (topic) => {
    for (const listener of [...listeners]) listener(topic);
  };
  if (channel) {
    channel.onmessage = (event) => tell(String(event.data));
    // Outside a browser an open channel would keep the process alive.
    /** @type {any} */ (channel).unref?.();
  }
  return {
    say(topic) {
      tell(topic);
      try {
        channel?.postMessage(topic);
      } catch {
        // A closed channel only means that this page is on its way out; its own listeners were told.
      }
    },
    listen(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
    close() {
      listeners.clear();
      channel?.close();
    },
  };
}
