/** Where outlets stand on the walls of a house drawn from above, north up. Pure; a place is the text the form keeps. */

/** Eight places round the house, clockwise from north, as written into the form. */
export const PLACES = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

const WORDS = new Map([...PLACES.map((place) => /** @type {[string, string]} */ ([place, place])), ["SO", "SW"], ["O", "W"],
  ...Object.entries({ north: "N", northeast: "NE", east: "E", southeast: "SE", south: "S", southwest: "SW", west: "W", northwest: "NW",
    norte: "N", noreste: "NE", este: "E", sureste: "SE", sur: "S", suroeste: "SW", oeste: "W", noroeste: "NW" })]);

const WORD = /\p{L}+(?:-\p{L}+)?/gu;

/** The word of a text that names a place: letters as capitals, "NE", or written out, "north-east". @param {string} text */
function wordOf(text) {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const place = WORDS.get(word) ?? WORDS.get(word.toLowerCase().replace("-", ""));
    // "se" and "o" are words of their own; as places they stand in capitals.
    if (place && (word.length > 2 || word === word.toUpperCase())) return { word, index, place };
  }
  return null;
}

/** The place that a text names, or null: "NE, rear" is NE, "rear" is none. @param {any} text @returns {string | null} */
export const placeOf = (text) => (typeof text === "string" ? wordOf(text)?.place ?? null : null);

/** The text with another place in it; whatever else a person wrote there stays. @param {any} text @param {string} place */
export function withPlace(text, place) {
  const old = typeof text === "string" ? text.trim() : "";
  const found = wordOf(old);
  if (found) return old.slice(0, found.index) + place + old.slice(found.index + found.word.length);
  return old ? `${place}, ${old}` : place;
}

/** The place some steps on, clockwise. @param {string | null} place @param {number} steps */
export const turned = (place, steps) => PLACES[(Math.max(0, PLACES.indexOf(place ?? "")) + (place ? steps : 0) + 8) % 8];

/** The next free name: D1, D2. @param {any[]} rows */
export function nextId(rows) {
  const used = new Set(rows.map((row) => String(row.id ?? "").trim().toUpperCase()));
  let n = rows.length + 1;
  while (used.has(`D${n}`)) n += 1;
  return `D${n}`;
}

/** Outwards from the house at each place. @type {Record<string, [number, number]>} */
const OUT = { N: [0, -1], NE: [1, -1], E: [1, 0], SE: [1, 1], S: [0, 1], SW: [-1, 1], W: [-1, 0], NW: [-1, -1] };

/** Between the middles of two outlets at one place. */
const APART = 52;

/**
 * @param {(string | null)[]} places of the outlets
 * @param {{left: number, top: number, right: number, bottom: number}} house
 */
export function houseLayout(places, house) {
  const middle = { x: (house.left + house.right) / 2, y: (house.top + house.bottom) / 2 };
  const spot = (/** @type {string} */ place) => {
    const [x, y] = OUT[place];
    return { x: x ? (x < 0 ? house.left : house.right) : middle.x, y: y ? (y < 0 ? house.top : house.bottom) : middle.y };
  };
  const outlets = places.map((place, n) => {
    if (!place) return null;
    const all = places.flatMap((other, at) => (other === place ? [at] : []));
    const [k, many] = [all.indexOf(n), all.length];
    const { x, y } = spot(place);
    const [ox, oy] = OUT[place];
    // Several at a corner stand along the wall towards the middle; on a wall they stand about its middle.
    const along = ox && oy ? k * APART : (k - (many - 1) / 2) * APART;
    const out = ox && oy ? { x: 0, y: oy } : { x: ox, y: oy };
    return { x: ox && oy ? x - ox * along : oy ? x + along : x, y: oy ? y : y + along, out: k === 0 && ox && oy ? { x: ox * 0.7, y: oy * 0.7 } : out };
  });
  return { outlets, spots: PLACES.map((place) => ({ place, ...spot(place) })) };
}

/** The place nearest to a point. @param {number} x @param {number} y @param {{left: number, top: number, right: number, bottom: number}} house */
export function nearest(x, y, house) {
  const { spots } = houseLayout([], house);
  return spots.reduce((best, one) => (Math.hypot(one.x - x, one.y - y) < Math.hypot(best.x - x, best.y - y) ? one : best)).place;
}
