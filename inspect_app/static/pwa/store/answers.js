/**
 * The flat answers of a record: what rules, the form and the export read. The server makes the same from the same
 * record (domain/inspections.py).
 */

/**
 * @param {any} doc a record
 * @param {Record<string, Record<string, any>>} [drafts] values that are typed and not yet committed, by group
 * @returns {Record<string, any>}
 */
export function answersOf(doc, drafts = {}) {
  /** @type {Record<string, any>} */
  const answers = {};
  for (const group of Object.values(doc.groups ?? {})) Object.assign(answers, group.values);
  for (const [group, values] of Object.entries(drafts)) {
    // A draft stands for its whole group: a value it no longer holds was taken back.
    for (const name of Object.keys(doc.groups?.[group]?.values ?? {})) delete answers[name];
    Object.assign(answers, values);
  }
  for (const [list, rows] of Object.entries(doc.lists ?? {})) {
    if (rows.length) answers[list] = rows.map(({ row }) => row);
  }
  if (doc.photos?.length) answers.photos = doc.photos.map((photo) => ({ ...photo.row, photo: photo.photo_id }));
  const events = (doc.custody ?? []).map(({ says }) => says).filter((says) => says && typeof says === 'object');
  if (events.length) answers.custody_events = events;
  return answers;
}

/**
 * What a signature signs: the values of every group and the photos' hashes, without the signatures themselves.
 * @param {any} doc
 * @returns {{groups: Record<string, any>, photos: string[]}}
 */
export function revisionOf(doc) {
  const groups = {};
  for (const [name, group] of Object.entries(doc.groups ?? {})) {
    if (name !== 'signatures') groups[name] = group.values;
  }
  return { groups, photos: (doc.photos ?? []).map((photo) => photo.sha256).sort() };
}
