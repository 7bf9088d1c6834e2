/**
 * One line for each record, in a store of its own: lists and search read these and not the records, which are a hundred
 * times as long. Pure.
 */

/** Fields that name a place of the network, whatever the form: what people search for, and know a place again by. */
const REFERENCE = /(^|_)(manhole_id|mh_ref|parcel|parcel_no|lot|lot_no)$/;

/**
 * @typedef {object} Row
 * @property {string} id
 * @property {string} protocol
 * @property {string|null} number
 * @property {string} permit_no
 * @property {string} place
 * @property {string} state
 * @property {string|null} assignment_id
 * @property {string|null} parent_record the visit that it follows
 * @property {string[]} refs manholes, parcels and lots that it names
 * @property {{lat: number, lon: number}|null} spot
 * @property {boolean} deleted
 */

/** @param {string} id @param {any} doc a record @param {boolean} deleted @returns {Row} */
export function rowOf(id, doc, deleted) {
  /** @type {Set<string>} */
  const refs = new Set();
  /** @type {Row['spot']} */
  let spot = null;
  for (const { values = {} } of Object.values(doc.groups ?? {})) {
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'string' && value && REFERENCE.test(name)) refs.add(value);
      if (name === 'gps' && Number.isFinite(value?.lat) && Number.isFinite(value?.lon)) spot = { lat: value.lat, lon: value.lon };
    }
  }
  return {
    id, protocol: doc.protocol, number: doc.number ?? null, permit_no: doc.permit_no ?? '', place: doc.place ?? '', state: doc.state,
    assignment_id: doc.assignment_id ?? null, parent_record: doc.parent_record ?? null, refs: [...refs], spot, deleted,
  };
}
