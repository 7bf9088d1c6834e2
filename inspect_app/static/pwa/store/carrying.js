/**
 * What a visit of the same place takes over from an earlier one, as its form names it under `carries`: who, where, under
 * which permit; no reading. The twin on the server is domain/carrying.py; both give the same. Pure.
 */

/**
 * @param {any} form the form of the new visit
 * @param {Record<string, {values: Record<string, any>}>} groups of the earlier record
 * @returns {Record<string, Record<string, any>>} values by group
 */
export function carried(form, groups) {
  const carries = new Set(form?.carries ?? []);
  /** @type {Record<string, Record<string, any>>} */
  const taken = {};
  const take = (group, name, value) => { (taken[group] ??= {})[name] = value; };
  for (const section of form?.sections ?? []) for (const { group, fields } of section.groups ?? []) for (const { field, row = [] } of fields) {
    const value = groups[group]?.values?.[field];
    if (value === undefined) continue;
    if (carries.has(field)) take(group, field, value);
    const columns = row.map((cell) => cell.field).filter((name) => carries.has(`${field}.${name}`));
    if (!columns.length || !Array.isArray(value)) continue;
    const rows = value.map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => columns.includes(name))))
      .filter((one) => Object.keys(one).length);
    if (rows.length) take(group, field, rows);
  }
  return taken;
}
