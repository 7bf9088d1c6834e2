/**
 * The village's map drawn by MapLibre: the basemap as it stands on this tablet, and the village's own layers over it. Read
 * only where the tablet has what it needs; held apart from the app, with the library.
 */

const LIBRARY = "../../vendor/maplibre-gl/dist/";
/** A worker's script is fetched by the service worker only where it lies within its scope. */
const WORKER = "../../../field/map-worker.mjs";
const ARCHIVES = "../../vendor/pmtiles/dist/pmtiles.js";
/** Names of structures are written from this zoom on, and no more of them than this. */
const NAMES_FROM = 16.5;
const MOST_NAMES = 60;

const at = (/** @type {string} */ name) => new URL(name, import.meta.url).href;

/** @param {string} tag @param {Record<string, string>} what @returns {Promise<void>} */
const brought = (tag, what) => new Promise((done, failed) => {
  const element = Object.assign(document.createElement(tag), what, { onload: () => done(), onerror: () => failed(new Error(`${what.src ?? what.href} did not come`)) });
  document.head.append(element);
});

/** @type {Promise<any> | null} */
let library = null;
async function readLibrary() {
  const [maplibre] = await Promise.all([
    import(at(`${LIBRARY}maplibre-gl.mjs`)),
    brought("link", { rel: "stylesheet", href: at(`${LIBRARY}maplibre-gl.css`) }),
    brought("script", { src: at(ARCHIVES) }),
  ]);
  maplibre.setWorkerUrl(at(WORKER));
  const archives = /** @type {any} */ (globalThis).pmtiles;
  const protocol = new archives.Protocol();
  maplibre.addProtocol("pmtiles", protocol.tile);
  return { maplibre, archives, protocol };
}

/**
 * @param {HTMLElement} element
 * @param {{layers: Record<string, any>, basemap: Blob | null, bounds: [number, number, number, number] | null, words: Record<string, string>,
 *   structure: (name: string) => HTMLElement, pressed: (spot: {lat: number, lon: number}) => void}} of bounds: west, south, east, north
 */
export async function openGlMap(element, { layers, basemap, bounds, words, structure, pressed }) {
  const { maplibre, archives, protocol } = await (library ??= readLibrary());
  const colour = (/** @type {string} */ name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const base = basemap ? await baseOf(basemap, { archives, protocol, colour }) : { sources: {}, layers: [] };
  const line = (/** @type {string} */ id, /** @type {string} */ source, /** @type {any} */ paint) => ({ id, type: "line", source, paint, layout: { "line-cap": "round", "line-join": "round" } });
  const own = [
    line("streets-edge", "streets", { "line-color": colour("line"), "line-width": ["interpolate", ["exponential", 2], ["zoom"], 12, 2, 20, 60] }),
    line("streets", "streets", { "line-color": colour("paper"), "line-width": ["interpolate", ["exponential", 2], ["zoom"], 12, 1, 20, 54] }),
    line("parcels", "parcels", { "line-color": colour("edge"), "line-width": 1 }),
    line("mains", "mains", { "line-color": colour("pipe-edge"), "line-width": 4, "line-dasharray": [3, 1.3] }),
    { id: "structures", type: "circle", source: "structures", paint: { "circle-radius": ["interpolate", ["linear"], ["zoom"], 13, 3, 18, 9], "circle-color": colour("paper"), "circle-stroke-color": colour("pipe-edge"), "circle-stroke-width": 2.5 } },
  ].filter(({ source }) => layers[source]);
  const map = new maplibre.Map({
    container: element, attributionControl: false, dragRotate: false, touchPitch: false, fadeDuration: 0, maxZoom: 21,
    ...(bounds ? { bounds, fitBoundsOptions: { padding: 48, maxZoom: 18 } } : {}),
    locale: { "NavigationControl.ZoomIn": words.more, "NavigationControl.ZoomOut": words.less },
    style: {
      version: 8,
      sources: { ...base.sources, ...Object.fromEntries(Object.entries(layers).map(([name, data]) => [name, { type: "geojson", data }])) },
      layers: [{ id: "ground", type: "background", paint: { "background-color": colour("sunken") } }, ...base.layers, ...own],
    },
  });
  map.addControl(new maplibre.NavigationControl({ showCompass: false }), "top-right");
  map.touchZoomRotate.disableRotation();
  map.getCanvas().setAttribute("aria-label", words.title);
  map.on("click", (/** @type {any} */ event) => pressed({ lat: event.lngLat.lat, lon: event.lngLat.lng }));
  await new Promise((done, failed) => { map.once("load", done); map.once("error", (/** @type {any} */ event) => failed(event.error)); });

  /** @type {any[]} */
  let names = [];
  const write = () => {
    for (const one of names) one.remove();
    const box = map.getBounds();
    names = map.getZoom() < NAMES_FROM ? [] : (layers.structures?.features ?? []).filter((/** @type {any} */ one) => box.contains(one.geometry.coordinates)).slice(0, MOST_NAMES)
      .map((/** @type {any} */ one) => new maplibre.Marker({ element: structure(one.properties.id), anchor: "bottom", offset: [0, -8] }).setLngLat(one.geometry.coordinates).addTo(map));
  };
  map.on("moveend", write);
  write();

  return {
    /** @param {HTMLElement} mark @param {{lat: number, lon: number}} spot @returns {{remove: () => void}} */
    put: (mark, { lat, lon }) => new maplibre.Marker({ element: mark }).setLngLat([lon, lat]).addTo(map),
    /** @param {{lat: number, lon: number}} spot */
    show: ({ lat, lon }) => map.jumpTo({ center: [lon, lat], zoom: Math.max(map.getZoom(), 17) }),
    close: () => map.remove(),
  };
}

/** Sources and layers of whatever basemap the village has: pictures, or tiles of shapes under their usual names. @param {Blob} blob @param {any} parts */
async function baseOf(blob, { archives, protocol, colour }) {
  const archive = new archives.PMTiles(new archives.FileSource(new File([blob], "basemap")));
  protocol.add(archive);
  const [header, about] = await Promise.all([archive.getHeader(), archive.getMetadata()]);
  const source = { type: header.tileType === archives.TileType.Mvt ? "vector" : "raster", url: "pmtiles://basemap", tileSize: 256 };
  if (source.type === "raster") return { sources: { base: source }, layers: [{ id: "base", type: "raster", source: "base", paint: { "raster-fade-duration": 0 } }] };
  const kinds = /** @type {[RegExp, string, any][]} */ ([
    [/water/, "fill", { "fill-color": colour("water") }],
    [/building/, "fill", { "fill-color": colour("stone"), "fill-outline-color": colour("edge") }],
    [/road|transport|street/, "line", { "line-color": colour("line"), "line-width": ["interpolate", ["exponential", 1.6], ["zoom"], 10, 1, 20, 16] }],
  ]);
  const layers = (/** @type {any} */ (about).vector_layers ?? []).flatMap((/** @type {any} */ { id }) => kinds.filter(([name]) => name.test(id))
    .map(([, type, paint]) => ({ id: `base-${id}`, type, source: "base", "source-layer": id, paint, filter: ["in", ["geometry-type"], ["literal", type === "fill" ? ["Polygon", "MultiPolygon"] : ["LineString", "MultiLineString"]]] })));
  return { sources: { base: { type: source.type, url: source.url } }, layers };
}
