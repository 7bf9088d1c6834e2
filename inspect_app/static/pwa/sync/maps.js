/** Fetches the village's map in pieces, each checked by its hash; what came before a line broke is not asked for again. */

import { Unreachable, detail } from './api.js';

/** A minute and more for a piece: a poor line may take it. */
const PIECE_TIMEOUT_MS = 120_000;

/**
 * @param {{api: import('./api.js').Api, maps: import('../store/maps.js').Maps}} parts
 */
export function makeMapFetch({ api, maps }) {
  /**
   * @param {string} village
   * @param {import('../store/maps.js').Listed[]} listed
   * @param {(bytes: number) => void} came told after each piece
   * @param {AbortSignal} stop
   */
  return async function fetchMap(village, listed, came, stop) {
    for (const one of listed) {
      for (const n of await maps.missing(one)) {
        if (stop.aborted) return;
        const from = n * one.piece_bytes;
        const bytes = maps.sizeOf(one, n);
        const answer = await api.call('GET', `/maps/${village}/${one.name}`, {
          as: 'person', binary: true, timeout: PIECE_TIMEOUT_MS, headers: { Range: `bytes=${from}-${from + bytes - 1}` },
        });
        if (answer.status !== 206 && answer.status !== 200) throw new Unreachable(detail(answer, 'The office has no such map any more. Send or receive once, then press again.'));
        // An answer without a range is the file from its start: only a file of one piece may come so.
        if (!(await maps.keep(one, n, answer.body))) throw new Unreachable('A piece of the map came damaged, or the office has a newer one. It was not kept; press again.');
        came(bytes);
      }
    }
  };
}
