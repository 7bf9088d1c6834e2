/**
 * What a new visit takes over from the last one to the same place: what stands in its form under `carries` and does not
 * change between visits. No reading (those are never carried), and no time, photo or signature either. Pure.
 */

import { carried } from './carrying.js';

/** Groups that hang on the permit under which the work was done: of another permit they are not taken over. */
const OF_PERMIT = new Set(['permit', 'application', 'licence', 'tapper', 'work', 'locate', 'excavation']);
/** What is true of one moment only. */
const MOMENT = new Set(['time', 'date', 'photo', 'signature']);

/** @param {string|null|undefined} text */
const same = (text) => (text ?? '').toLowerCase().replace(/[\s.,]+/g, ' ').trim();

/**
 * The last visit of this kind to the same place or under the same permit; null where the tablet holds none.
 * @param {import('./rows.js').Row[]} rows
 * @param {{protocol: string, place: string, permit_no: string, manhole?: string}} next
 */
export function lastVisit(rows, next) {
  const [place, permit] = [same(next.place), same(next.permit_no)];
  // A manhole is a place by itself; a tap is not, though it is measured from one.
  const isThere = (row) => (place && same(row.place) === place)
    || (row.protocol === 'manhole' && row.refs.some((name) => [place, same(next.manhole)].includes(same(name))));
  const matching = rows.filter((row) => row.protocol === next.protocol && row.state !== 'void' && (isThere(row) || (permit && same(row.permit_no) === permit)));
  const last = matching.reduce((latest, row) => (latest === null || row.id > latest.id ? row : latest), /** @type {import('./rows.js').Row|null} */ (null));
  return last && { id: last.id, samePlace: isThere(last), samePermit: permit !== '' && same(last.permit_no) === permit };
}

/**
 * @param {any} form of the new visit
 * @param {Record<string, {values: Record<string, any>}>} groups of the last one
 * @param {{samePlace: boolean, samePermit: boolean}} how
 * @returns {Record<string, Record<string, any>>} values by group
 */
export function copiedFrom(form, groups, { samePlace, samePermit }) {
  const types = new Map((form?.sections ?? []).flatMap((section) => (section.groups ?? []).flatMap((group) => group.fields.map((field) => [field.field, field.type]))));
  return Object.fromEntries(Object.entries(carried(form, groups))
    .filter(([group]) => (OF_PERMIT.has(group) ? samePermit : samePlace))
    .map(([group, values]) => [group, Object.fromEntries(Object.entries(values).filter(([name]) => !MOMENT.has(types.get(name))))])
    .filter(([, values]) => Object.keys(values).length));
}

/** Two sets of values by group; the second counts where both have one. @param {Record<string, any>} under @param {Record<string, any>} over */
export const laidOver = (under, over) => Object.fromEntries([...new Set([...Object.keys(under), ...Object.keys(over)])]
  .map((group) => [group, { ...under[group], ...over[group] }]));
