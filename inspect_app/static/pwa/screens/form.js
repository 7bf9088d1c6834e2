/**
 * What a form asks for now: sections, groups and fields of a protocol with what has been answered. Pure; whether an
 * expression holds is asked of `holds`, so that this file knows no rule language.
 *
 * @typedef {Record<string, any>} Field one field of a protocol with its spec merged in
 * @typedef {{id: string, title: string, kind: string, hint?: string, drawing?: string | null, groups: {group: string, title?: string, fields: Field[]}[]}} Section
 * @typedef {Record<string, Record<string, any>>} Values answers as typed, by group and field
 * @typedef {(expression: string) => boolean | null} Holds true, false, or null while it is not known
 */

/** Whether a value as typed says anything. Not checked says nothing to a rule, but it is an answer to the form.
 * @param {any} value */
export function isAnswered(value) {
  if (value === null || value === undefined || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object") {
    if ("value" in value) return String(value.value ?? "").trim() !== "";
    if ("lat" in value) return value.lat !== null && value.lat !== "" && value.lon !== null && value.lon !== "";
  }
  return true;
}

/** The values with the rows of lists that only grow: those are kept beside the groups, but answer a field of one.
 * @param {any} protocol @param {Values} values @param {Record<string, any[]>} lists @returns {Values} */
export function withLists(protocol, values, lists) {
  const all = { ...values };
  for (const section of protocol.sections ?? []) for (const { group, fields } of section.groups ?? []) for (const { field, append_only } of fields ?? []) {
    if (append_only && lists[field]?.length) all[group] = { ...all[group], [field]: lists[field] };
  }
  return all;
}

/** The sections with the fields that are asked for now. A field that holds an answer stays visible whatever its condition
 * says: what was typed is never hidden.
 * @param {any} protocol
 * @param {Values} values
 * @param {Holds} holds
 * @returns {Section[]}
 */
export function sectionsNow(protocol, values, holds) {
  return (protocol.sections ?? []).map((/** @type {any} */ section) => ({
    ...section,
    kind: section.kind ?? "fields",
    groups: (section.groups ?? []).map((/** @type {any} */ group) => ({
      ...group,
      fields: (group.fields ?? []).filter((/** @type {Field} */ field) => isShown(field, values[group.group] ?? {}, holds)),
    })),
  }));
}

/** @param {Field} field @param {Record<string, any>} groupValues @param {Holds} holds */
function isShown(field, groupValues, holds) {
  return !field.shown_when || isAnswered(groupValues[field.field]) || holds(field.shown_when) === true;
}

/** Whether the form insists on an answer now. @param {Field} field @param {Holds} holds */
export function isRequired(field, holds) {
  if (typeof field.required === "string") return holds(field.required) === true;
  return field.required === true;
}

/** What is still to answer, in the order of the form. @param {Section[]} sections @param {Values} values @param {Holds} holds
 * @returns {{section: Section, group: string, field: Field}[]} */
export function unanswered(sections, values, holds) {
  return sections.flatMap((section) => section.groups.flatMap((group) => group.fields
    .filter((field) => isRequired(field, holds) && !isAnswered(values[group.group]?.[field.field]))
    .map((field) => ({ section, group: group.group, field }))));
}

/** The planned photos with those taken for each. @param {any} protocol @param {{row?: any}[]} photos @param {Holds} holds */
export function photoSlots(protocol, photos, holds) {
  const slots = (protocol.photos ?? []).filter((/** @type {any} */ slot) => !slot.shown_when || holds(slot.shown_when) === true
    || photos.some((p) => fills(slot, p)));
  return slots.map((/** @type {any} */ slot) => {
    const taken = photos.filter((photo) => fills(slot, photo));
    return { ...slot, taken, needed: isRequired(slot, holds), key: slotKey(slot) };
  });
}

/** Several slots may show the same thing and prove different fields. @param {any} slot */
export const slotKey = (slot) => [slot.shows, slot.proves].filter(Boolean).join("-");

/** @param {any} slot @param {{row?: any}} photo */
function fills(slot, photo) {
  return photo.row?.shows === slot.shows && (!slot.proves || !photo.row?.proves || photo.row.proves === slot.proves);
}

/** How far each section is: answered, asked for and still open, counting photos and signatures where those are the section.
 * @param {Section[]} sections
 * @param {Values} values
 * @param {Holds} holds
 * @param {{slots: any[], signatures: any[], signed: Record<string, any>}} also
 */
export function progress(sections, values, holds, also) {
  return sections.map((section) => {
    if (section.kind === "photos") {
      const needed = also.slots.filter((slot) => slot.needed);
      const done = needed.filter((slot) => slot.taken.length).length;
      return { id: section.id, begun: also.slots.some((slot) => slot.taken.length), open: needed.length - done, done, of: needed.length };
    }
    if (section.kind === "signatures") {
      const needed = also.signatures.filter((s) => isRequired(s, holds));
      const open = needed.filter((s) => !isAnswered(also.signed[s.field])).length;
      return { id: section.id, begun: also.signatures.some((s) => isAnswered(also.signed[s.field])), open, done: needed.length - open,
        of: needed.length };
    }
    const fields = section.groups.flatMap((group) => group.fields.map((field) => ({ field, value: values[group.group]?.[field.field] })));
    const needed = fields.filter(({ field }) => isRequired(field, holds));
    const open = needed.filter(({ value }) => !isAnswered(value)).length;
    return { id: section.id, begun: fields.some(({ value }) => isAnswered(value)), open, done: needed.length - open, of: needed.length };
  });
}
