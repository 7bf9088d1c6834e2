/** Keeping a photo for one slot of a visit: what it must be, when and where it was taken, and what was said if it was not kept. */
import { look } from "../camera/picture.js";
import { clockText, withOffset } from "../fields/moments.js";
import { smaller } from "../store/preview.js";
import { t } from "../words.js";
import { sorted } from "./findings.js";
import { sentence } from "./visit.js";

/** Pixels of the shorter side: on fewer nobody reads a tape. */
const LEAST_SIDE = 200;
const MOST_BYTES = 25 * 1024 * 1024;
/** Milliseconds that a picture waits for its position. */
const PATIENCE_MS = 4000;

/** @typedef {{shows: string, proves?: string, label: string, in_view?: string, key: string}} Slot */

/** @param {import("./visit.js").Visit} visit @param {Slot} slot @param {File} file @param {(photoId: string) => void} [then] */
export async function fromFile(visit, slot, file, then) {
  const placed = visit.app.position().catch(() => null);
  try {
    // Read at once: later the browser may no longer hand it out.
    await keep(visit, slot, { bytes: await file.arrayBuffer(), from_library: true, placed }, then);
  } catch (problem) {
    tell(visit, slot, sentence(problem) || t.photos.failed);
  }
}

/**
 * Keeps a picture as it was captured.
 * @param {import("./visit.js").Visit} visit
 * @param {Slot} slot
 * @param {{bytes: ArrayBuffer, from_library: boolean, placed: Promise<any>}} shot
 * @param {(photoId: string) => void} [then]
 * @returns {Promise<boolean>} whether it is on disk; where it is not, the slot says why
 */
export async function keep(visit, slot, { bytes, from_library, placed }, then) {
  const taken_at = withOffset(visit.app.now(), visit.app.timezone);
  const clause = clauseOf(visit, slot);
  const { kind, width, height } = look(bytes);
  const why = bytes.byteLength ? refusal(kind, { width, height, bytes: bytes.byteLength }) : "";
  if (why) return tell(visit, slot, why);
  const at = await soon(placed);
  const taken_place = at ? { lat: at.lat, lon: at.lon, accuracy_m: at.accuracy_m, ...(at.simulated && { simulated: true }) } : null;
  try {
    const photo = { bytes, mime: kind, ...(await shrunk(visit, bytes, { kind, width, height })) };
    const id = await visit.app.store.addPhoto(visit.id, { ...photo, shows: slot.shows, proves: slot.proves ?? "", taken_at, taken_place,
      from_library: from_library ? "yes" : "no", clause, lines: burnt(visit, slot, { taken_at, taken_place, clause }) });
    visit.keptAt = visit.app.now();
    visit.photoProblem = null;
    visit.interrupted = null;
    if (!visit.camera) await visit.app.store.position(visit.id, { section: visit.section, field: null });
    await visit.refresh();
    then?.(id);
    visit.app.render();
    return true;
  } catch (problem) {
    const full = /quota|room|space|full/i.test(`${/** @type {any} */ (problem)?.name} ${/** @type {any} */ (problem)?.message}`);
    return tell(visit, slot, full ? t.photos.full : sentence(problem) || t.photos.failed);
  }
}

/** Says at the slot why there is no photo. @param {import("./visit.js").Visit} visit @param {Slot} slot @param {string} text */
export function tell(visit, slot, text) {
  visit.photoProblem = { key: slot.key, text };
  visit.app.render();
  return false;
}

/** Why this is no photo for the office, or "". @param {string} kind @param {{width: number, height: number, bytes: number}} size */
function refusal(kind, { width, height, bytes }) {
  if (kind === "image/heic") return t.photos.heic;
  if (kind !== "image/jpeg" && kind !== "image/png") return t.photos.wrongKind;
  if (bytes > MOST_BYTES) return t.photos.large(Math.round(bytes / 1024 / 1024), MOST_BYTES / 1024 / 1024);
  return width && Math.min(width, height) < LEAST_SIDE ? t.photos.small(width, height) : "";
}

/** Where a village wants photos smaller, they are made so before they are hashed; what is kept then is the photo.
 * @param {import("./visit.js").Visit} visit @param {ArrayBuffer} bytes @param {{kind: string, width: number, height: number}} picture */
async function shrunk(visit, bytes, { kind, width, height }) {
  const longest = Number(visit.app.reference?.village?.shrink_photos_px) || 0;
  if (!longest || Math.max(width, height) <= longest) return {};
  const small = await smaller(bytes, kind, { longest, quality: 0.9 });
  return small ? { bytes: small, mime: "image/jpeg", shrunk_from: { bytes: bytes.byteLength, width, height } } : {};
}

/** The section of the law that the photo bears on, as printed, or "". @param {import("./visit.js").Visit} visit @param {Slot} slot */
export function clauseOf(visit, slot) {
  const [first] = sorted(visit.findings.filter((f) => (f.evidence ?? []).includes(slot.shows) && f.clause?.section));
  if (!first) return "";
  const { section, starred, letter } = first.clause;
  return `${section}${starred ? "*" : ""}${letter ? ` ${letter}` : ""}`;
}

/** What stands over the picture while it is taken: which record, what for, when and where.
 * @param {import("./visit.js").Visit} visit @param {Slot} slot @param {{taken_at: string, taken_place: any, clause: string}} shot */
export function linesOf(visit, slot, { taken_at, taken_place, clause }) {
  const { permit_no, place } = visit.doc;
  const where = taken_place ? `${taken_place.lat.toFixed(5)}, ${taken_place.lon.toFixed(5)} ${t.photos.accuracy(Math.round(taken_place.accuracy_m))}`
    : t.photos.noPlace;
  return [
    [permit_no, place].filter(Boolean).join(", "),
    [slot.label, clause].filter(Boolean).join(", "),
    `${taken_at.slice(0, 10)} ${clockText(taken_at, visit.app.timezone)}, ${where}`,
  ].filter(Boolean);
}

/** The same lines for the preview, where the village has them burnt in; the photo itself stays as captured.
 * @param {import("./visit.js").Visit} visit @param {Slot} slot @param {{taken_at: string, taken_place: any, clause: string}} shot */
const burnt = (visit, slot, shot) => (visit.app.reference?.village?.stamp_previews ? linesOf(visit, slot, shot) : []);

/** A position that is late does not hold up the picture. @param {Promise<any>} placed */
const soon = (placed) => Promise.race([placed, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, null))]);
