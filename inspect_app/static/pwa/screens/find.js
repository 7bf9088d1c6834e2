/** Finds visits and assignments of this tablet by what people call them: number, permit, place, manhole, kind, state. Pure. */

/** Letters alone, whatever their case and accents. @param {string} text */
const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

/** "MH-112" is also found as "mh112". @param {string} text */
const joined = (text) => text.replace(/[-.#/]/g, "");

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => (string | null | undefined)[]} says what each is called
 * @returns {{item: T, text: string}[]}
 */
export const indexed = (items, says) => items.map((item) => {
  const text = plain(says(item).filter(Boolean).join(" "));
  return { item, text: `${text} ${joined(text)}` };
});

/**
 * Those that have every word, in the order they came in.
 * @template T
 * @param {{item: T, text: string}[]} index
 * @param {string} asked
 * @returns {T[]}
 */
export function found(index, asked) {
  const words = plain(asked).split(/\s+/).filter(Boolean);
  const hit = words.length ? index.filter(({ text }) => words.every((word) => text.includes(word) || text.includes(joined(word) || word))) : index;
  return hit.map(({ item }) => item);
}
