/**
 * What the screen shows of a record: what the server sent, with this tablet's own ops laid over it for as long as the
 * server's copy does not contain them yet. Pure functions; the same inputs give the same record.
 */

/**
 * @typedef {object} Doc a record as the server sends it
 * @property {Record<string, {op: string, values: Record<string, any>, by: string, at: string}>} groups
 * @property {Record<string, {id: string, op: string, row: any, by: string, at: string}[]>} lists
 * @property {any[]} photos
 * @property {any[]} custody
 * @property {any} submitted
 * @property {string} state
 */

/**
 * @param {{doc: any, deleted?: boolean}|null|undefined} record as pulled
 * @param {{op_id: string, content: any}[]} ops own ops of this record that are not in it yet, in the order made
 * @returns {{doc: any, deleted: boolean}|null} null: nobody has heard of this record
 */
export function overlaid(record, ops) {
  let doc = record ? structuredClone(record.doc) : null;
  let deleted = Boolean(record?.deleted);
  for (const { op_id: op, content } of ops) {
    if (content.kind === 'record.create') {
      doc ??= created(content);
      continue;
    }
    if (!doc) continue;
    if (content.kind === 'record.delete') deleted = true;
    else lay(doc, op, content);
  }
  return doc ? { doc, deleted } : null;
}

/**
 * Whether an own op lies over a value of somebody else that it does not replace: then the screen does not show that one.
 * @param {{doc: any}|null|undefined} record as pulled
 * @param {{op_id: string, content: any}[]} ops own ops of this record that are not in it yet
 */
export function hides(record, ops) {
  return Object.entries(record?.doc.groups ?? {}).some(([group, { op }]) => {
    const own = ops.filter(({ content }) => content.kind === 'group.set' && content.group === group);
    return own.length > 0 && !own.some(({ op_id, content }) => op_id === op || content.replaces === op);
  });
}

/** @param {any} content */
function created(content) {
  return {
    groups: {},
    lists: {},
    photos: [],
    custody: [],
    submitted: null,
    state: 'draft',
    number: null,
    village: content.village,
    protocol: content.protocol,
    protocol_version: content.protocol_version,
    pack: content.pack,
    place: content.place,
    permit_no: content.permit_no,
    assignment_id: content.assignment_id,
    inspector_id: content.user_id,
    parent_record: content.parent_record,
  };
}

/** @param {any} doc @param {string} op @param {any} content */
function lay(doc, op, content) {
  const made = { by: content.user_id, at: content.wall };
  switch (content.kind) {
    case 'group.set':
      doc.groups[content.group] = { op, values: content.values, ...made };
      break;
    case 'list.add': {
      const rows = (doc.lists[content.list] ??= []);
      if (!rows.some((row) => row.id === content.row_id)) rows.push({ id: content.row_id, op, row: content.row, ...made });
      break;
    }
    case 'photo.attach':
      if (!doc.photos.some((photo) => photo.photo_id === content.photo_id)) {
        const { photo_id, sha256, bytes, mime, row } = content;
        doc.photos.push({ photo_id, sha256, bytes, mime, row, state: 'missing', op, ...made });
      }
      break;
    case 'custody.append':
      if (!doc.custody.some((entry) => entry.op === op)) doc.custody.push({ op, event: content.event, says: JSON.parse(content.event), fork: false, ...made });
      break;
    case 'record.move_form':
      if (['draft', 'returned'].includes(doc.state)) doc.protocol_version = content.protocol_version;
      break;
    case 'record.submit':
      doc.submitted = { op, pack: content.pack, revision_hash: content.revision_hash, ...made };
      doc.returned = null;
      doc.state = 'submitted';
      break;
  }
}
