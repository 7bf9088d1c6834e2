/** What a press does to an answer of several choices. Pure. */

/**
 * The choice after one press, in the order of the form.
 * @param {string[]} chosen
 * @param {string} slug
 * @param {string[]} order
 */
export function toggled(chosen, slug, order) {
  if (chosen.includes(slug)) return chosen.filter((other) => other !== slug);
  if (slug === "none") return ["none"];
  const now = new Set([...chosen.filter((other) => other !== "none"), slug]);
  return order.filter((other) => now.has(other));
}
