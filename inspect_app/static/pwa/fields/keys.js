/** What a key of the number pad does to the text in the box. Pure, so the pad and a keyboard leave the same text. */

export const KEYS = ["7", "8", "9", "1/2", "4", "5", "6", "1/4", "1", "2", "3", "1/8", ".", "0", "erase", "1/16"];

/**
 * The text after a key, with the place of the cursor. A fraction joins the whole number before it with a space and takes the
 * place of another fraction, because 5 1/2 1/4 is never meant.
 * @param {string} text @param {string} key @param {number} [start] @param {number} [end]
 * @returns {{text: string, at: number}}
 */
export function pressed(text, key, start = text.length, end = start) {
  if (key === "erase") {
    const from = start === end ? Math.max(0, start - 1) : start;
    return { text: text.slice(0, from) + text.slice(end), at: from };
  }
  if (key.includes("/")) {
    const whole = text.replace(/(^|\s+|-)\d+\/\d*\s*$/, "").replace(/[½¼¾⅛⅜⅝⅞]\s*$/, "").trimEnd();
    const after = whole ? `${whole} ${key}` : key;
    return { text: after, at: after.length };
  }
  return { text: text.slice(0, start) + key + text.slice(end), at: start + key.length };
}
