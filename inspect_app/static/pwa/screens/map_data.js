/** What there is to draw of the village's map on this tablet, and bringing it here. */
import { planeAt, shapesOf } from "../place/maps.js";

/** The layers read last, by what they were: they are several megabytes of text. @type {{of: string, data: any} | null} */
let read = null;

/**
 * Layers that are whole on this tablet.
 * @param {any} app
 * @returns {Promise<{layers: Record<string, any>, shapes: import("../place/maps.js").Shape[], plane: ReturnType<typeof planeAt>, state: {done: number, of: number, whole: string[]}}>}
 */
export async function mapData(app) {
  const listed = app.reference?.maps ?? [];
  const state = await app.maps.state(listed);
  const whole = listed.filter((/** @type {any} */ one) => state.whole.includes(one.name) && one.name !== "basemap");
  const of = whole.map((/** @type {any} */ one) => one.sha256).join();
  if (read?.of !== of) {
    /** @type {Record<string, any>} */
    const layers = {};
    for (const one of whole) {
      const blob = await app.maps.blob(one);
      if (blob) layers[one.name] = JSON.parse(await blob.text());
    }
    const { latitude: lat = 0, longitude: lon = 0 } = app.reference?.village ?? {};
    const plane = planeAt({ lat, lon });
    read = { of, data: { layers, plane, shapes: shapesOf(layers, plane) } };
  }
  return { ...read?.data, state };
}

/** Whether this tablet can draw the map with the library: what it needs is here or can be had, and it has a graphics card.
 * @param {boolean} online */
export async function canDraw(online) {
  if (!document.createElement("canvas").getContext("webgl2")) return false;
  return online || (await caches.keys().catch(() => [])).some((name) => name.startsWith("library-"));
}

/**
 * Keeps the whole map on this tablet: first what draws it, then its layers.
 * @param {any} app @param {(bytes: number, more?: number) => void} came `more`: so much is to come besides @param {AbortSignal} stop
 */
export async function keepMap(app, came, stop) {
  await keepLibrary(came);
  await app.maps.fetch(app.reference.maps, came, stop);
  if (!stop.aborted) await app.maps.prune(app.reference.maps);
}

/** Lets go of it all. @param {any} app */
export async function dropMap(app) {
  await app.maps.prune([]);
  navigator.serviceWorker?.controller?.postMessage("DROP_MAP");
}

/** The worker holds the library, as it holds the app; without one it comes over the line each time.
 * @param {(bytes: number, more?: number) => void} came @returns {Promise<void>} */
const keepLibrary = (came) => new Promise((done, failed) => {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return done();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => {
    if (data === "kept") done();
    else if (data === "broken") failed(new Error());
    else came(data.bytes ?? 0, data.of);
  };
  worker.postMessage("KEEP_MAP", [port2]);
});
