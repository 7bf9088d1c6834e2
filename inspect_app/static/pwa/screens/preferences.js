/** How this tablet is set up for the person who holds it. Nothing here is part of a record. */

const KEY = "preferences";
const THEMES = ["light", "sun", "dark"];

/** @typedef {{theme: string, pad: boolean, hand: string, language: string, originals: string, receiver: string}} Preferences */

/** @param {HTMLElement} root @param {() => void} changed */
export function makePreferences(root, changed) {
  /** @type {Preferences} */
  let all = { theme: "light", pad: true, hand: "right", language: spoken(), originals: "any", receiver: "own", ...kept() };
  show();

  function show() {
    root.dataset.theme = THEMES.includes(all.theme) ? all.theme : "light";
    root.dataset.hand = all.hand;
  }

  /** @param {Partial<Preferences>} some */
  function set(some) {
    all = { ...all, ...some };
    try { localStorage.setItem(KEY, JSON.stringify(all)); } catch { /* a display that is not remembered is no reason to stop */ }
    show();
    changed();
  }

  return { get all() { return all; }, set, nextTheme: () => set({ theme: THEMES[(THEMES.indexOf(all.theme) + 1) % THEMES.length] }) };
}

/** Spanish where the tablet itself is set to it, until a person chooses. */
const spoken = () => (globalThis.navigator?.language?.startsWith("es") ? "es" : "en");

/** @returns {Partial<Preferences>} */
function kept() {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "{}"); } catch { return {}; }
}
