/** Wires the tablet app: store, sync, rules, camera, place and screens; addresses; display; updates by consent. */
import { render, html } from "../vendor/lit-html/lit-html.js";
import { useTranslations } from "./fields/say.js";
import * as screens from "./screens/screens.js";
import { makePictures } from "./screens/pictures.js";
import { makePreferences } from "./screens/preferences.js";
import { openStore } from "./store/store.js";
import { english, speak, t } from "./words.js";

/** Written into every op this app makes. */
const VERSION = "0.1.0";

/** Within this the app does not open again by itself a second time. */
const AGAIN_MS = 60_000;
/** After this a worker that could not be fetched is asked for again. */
const WORKER_AGAIN_MS = 20_000;
/** A thing held down for longer no longer holds the screen still; and a click comes this soon after the finger. */
const HELD_MS = 1_000, CLICK_MS = 50;

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const now = () => new Date();
const store = openStore({ app: VERSION });

/** What sends and receives. Read when the first screen stands: the list of the day needs none of it, and each
 * module costs a slow tablet some milliseconds. @type {Promise<any> | null} */
let reading = null;
const sync = () => (reading ??= readSync());
async function readSync() {
  const [{ makeEngine }, { isOffline, makeEnrolment }, { makeMapFetch }] = await Promise.all([import("./sync/engine.js"), import("./sync/enrol.js"), import("./sync/maps.js")]);
  app.isOffline = isOffline;
  const engine = makeEngine({ store, originals: mayOriginals });
  return { engine, enrolment: makeEnrolment({ store }), fetchMap: makeMapFetch({ api: engine.api, maps: store.maps }) };
}

/** Originals of photos wait for Wi-Fi, or for a press where a browser cannot tell the line, if the person wants it so. */
const line = /** @type {any} */ (navigator).connection;
const mayOriginals = () => preferences.all.originals !== "held" || ["wifi", "ethernet"].includes(line?.type);

/** What screens see of a practice visit: everything the same, but another store. Opened when it is asked for. */
let practising = /** @type {Promise<{app: any, discard: () => Promise<void>}> | null} */ (null);
async function practise() {
  const { openPractice } = await import("./store/practice.js");
  const { inspections, discard } = await openPractice({ reference: store.replicaDatabase, person: app.person, village: app.reference.village.slug, app: VERSION });
  inspections.onChange(changed);
  const own = { store: inspections, pictures: makePictures(inspections, () => app.render()), practising: true };
  return { discard, app: new Proxy(app, { get: (all, name) => Reflect.get(name in own ? own : all, name) }) };
}

const carried = async () => (await import("./store/carried.js")).makeCarried({ store });
const preferences = makePreferences(document.documentElement, () => app.render());

/** What screens see. Everything that changes lives in the store; this only remembers what is on the screen. */
const app = {
  version: VERSION,
  store: store.inspections,
  exportUnsent: () => store.exportUnsent(),
  /** @param {File} file of another tablet's unsent work */
  takeFile: async (file) => { const taken = await (await carried()).take(file); app.send(); return taken; },
  dropFile: async (/** @type {string} */ id) => (await carried()).drop(id),
  protect: () => store.protect(),
  enrol: async (/** @type {{code: string, name: string}} */ what) => {
    const { engine, enrolment } = await sync();
    await enrolment.enrol(what);
    await engine.run();
    await look();
  },
  signIn: async (/** @type {{name: string, password: string}} */ who) => { await (await sync()).enrolment.signIn(who); app.send(); },
  signOut: async () => (await sync()).enrolment.signOut(),
  people: async () => (await sync()).enrolment.people(),
  isOffline: /** @type {(problem: unknown) => boolean} */ (() => false),
  send: async (/** @type {{all?: boolean}} */ how = {}) => (await sync()).engine.run(how),
  maps: {
    state: store.maps.state, blob: store.maps.blob, prune: store.maps.prune,
    /** @param {any[]} listed @param {(bytes: number) => void} came @param {AbortSignal} stop */
    fetch: async (listed, came, stop) => (await sync()).fetchMap(app.reference.village.slug, listed, came, stop),
  },
  /** A place set by hand on the village's plan; null where none was chosen. @param {{lat: number, lon: number} | null} [near] */
  choosePlace: async (near = null) => (await import("./screens/choose_place.js")).choosePlace(app, near),
  practice: () => (practising ??= practise()),
  practising: false,
  knowsLine: line?.type !== undefined,
  now,
  position: async () => (await import("./place/place.js")).current(),
  /** @param {(fixes: number, wanted: number) => void} heard */
  measuredPosition: async (heard) => (await import("./place/place.js")).averaged({ heard }),
  /** PINs of those who sign on this tablet. */ pins: async () => (await store.people()).makePeople({ store }),
  pictures: makePictures(store.inspections, () => app.render()),
  /** @param {{view: any, reference: any, assignment: any}} of */
  makeJudge: async (of) => (await import("./screens/judge.js")).makeJudge({ ...of, now, clockOffsetMs: () => app.status?.clock_offset_ms ?? 0 }),
  /** @type {any} */ status: null,
  /** @type {any} */ reference: null,
  /** @type {any} the day's lists, read together with the status; for the first screen alone, since they age */ early: null,
  /** @type {any} the open inspection */ visit: null,
  visits: 0,
  ready: false,
  /** Why nothing works offline here: insecure, certificate, none, unfetched; empty where it does. */ noOffline: isSecureContext ? "" : "insecure",
  update: /** @type {ServiceWorker | null} */ (null),
  canInstall: /** @type {any} */ (null),
  installed: false,
  get prefers() { return preferences.all; },
  prefer: preferences.set,
  /** Speaks another language at once; nothing that was typed is touched. @param {string} language */
  speak: async (language) => { preferences.set({ language }); await speakAs(language); app.render(); entitle(); },
  nextTheme: preferences.nextTheme,
  get person() { return app.status?.person ?? app.reference?.person ?? null; },
  get timezone() { return app.reference?.village?.timezone ?? "America/Chicago"; },
  get villageName() { return app.reference?.village?.name ?? ""; },
  get citedAs() { return app.reference?.village?.short_name ?? app.villageName.replace(/^Village of /, ""); },
  get formOpen() { return location.hash.startsWith("#/visit/"); },
  /** @param {string} address */
  go: (address) => { location.hash = address; },
  render: () => { if (!isDrawing) { isDrawing = true; queueMicrotask(draw); } },
  focus: (/** @type {string} */ id) => openField(id),
  openField: (/** @type {string} */ id) => openField(id),
  /** Puts the focus there after the next screen is drawn. */ focusNext: (/** @type {string} */ id) => { focusAfter = id; },
  at: remember,
  takeUpdate: () => app.update?.postMessage("SKIP_WAITING"),
  install: async () => { const offer = app.canInstall; app.canInstall = null; await offer?.prompt(); app.render(); },
};

/** English is here; Spanish is read where it is spoken. The worker holds both. @param {string} language */
async function speakAs(language) {
  if (language !== "es") { speak(english); useTranslations(); return; }
  const [{ es, said }, ofData] = await Promise.all([import("./fields/words.es.js"), store.inspections.translations("es")]);
  speak(es);
  useTranslations(said, ofData);
}

let isDrawing = false;
/** Something to press is held down: 0 or the timer after which it is drawn all the same; and whether a drawing waits. */
let pressed = 0, isOwed = false;
/** @type {{draw: () => any, title: string | (() => string), focus?: string | null, changed?: () => Promise<void>}} */
let screen = { draw: () => html`<main id="main" tabindex="-1"></main>`, title: t.app };
/** @type {string | null} */
let focusAfter = /** @type {string | null} */ (null);

/** The page is called after its screen; a screen on which the language can be chosen is asked for its name anew. */
function entitle() {
  const title = typeof screen.title === "function" ? screen.title() : screen.title;
  document.title = title === t.app ? t.app : `${title} · ${t.app}`;
}

function draw() {
  isDrawing = false;
  isOwed = Boolean(pressed); // what moved from under the finger would lose the press
  if (!isOwed) render(screen.draw(), root);
}

/** Notes where the inspector is: another field, another pad, and on disk for after a crash.
 * @param {import("./screens/visit.js").Visit} visit @param {string} id @param {boolean} padded */
function remember(visit, id, padded) {
  visit.ui.open.add(id);
  const active = padded ? id : null;
  if (visit.ui.active !== active) { visit.ui.active = active; app.render(); }
  store.inspections.position(visit.id, /** @type {any} */ ({ section: visit.section, field: id }))
    .catch((problem) => console.error(problem)); // where one was is a comfort, not a record: nothing else waits for it
}

/** Opens a field, if it is folded, and puts the focus into it; in a group of radios into the chosen one. @param {string} id */
function openField(id) {
  app.visit?.ui.open.add(id);
  app.render();
  queueMicrotask(() => queueMicrotask(() => {
    const found = document.getElementById(id);
    const target = found?.matches("fieldset, div, section") ? found.querySelector("input:checked") ?? found.querySelector("input, button, textarea")
      ?? found : found;
    /** @type {HTMLElement | null} */ (target)?.focus();
    target?.scrollIntoView({ block: "nearest" });
  }));
}

/** Another person, or nobody, works with this tablet now: nothing of the one before stays in the page. */
function changedHands() {
  sessionStorage.clear();
  history.replaceState(null, "", location.pathname);
  location.reload();
}

/** Opens the screen of the address; not before it is known what waits, for until then a screen would say "nothing". */
async function route() {
  if (!app.status) return;
  let [path] = location.hash.replace(/^#\/?/, "").split("?");
  const code = /^#enrol=(.+)$/.exec(location.hash)?.[1];
  if (app.status?.enrolled && !app.status.person && path !== "welcome") path = "people";
  const leaving = app.visit;
  if (leaving && !path.startsWith(`visit/${leaving.id}`)) {
    await leaving.leaveAll();
    leaving.close();
    app.visit = null;
    await leaving.app.store.leave();
  }
  try {
    screen = await screens.open(app, code ? "welcome" : path, code ? decodeURIComponent(code) : "");
  } catch (problem) {
    console.error(problem);
    if (openAgain()) return;
    screen = screens.broken();
  }
  entitle();
  draw();
  const to = screen.focus ?? focusAfter;
  focusAfter = null;
  if (to) openField(to);
  else { window.scrollTo(0, 0); document.getElementById("main")?.focus({ preventScroll: true }); }
}

/** Reads what every screen shows: status, reference, the open inspection. */
async function look() {
  [app.status, app.reference] = await Promise.all([store.status(), store.inspections.reference()]);
  app.ready = Boolean(app.reference) && Boolean(navigator.serviceWorker?.controller);
  await Promise.all([app.visit?.refresh(), screen.changed?.()]);
  app.render();
}

/** Several changes in one moment are read once. */
let isLooking = false;
let again = false;
async function changed() {
  if (isLooking) { again = true; return; }
  isLooking = true;
  try { do { again = false; await look(); } while (again); } finally { isLooking = false; }
}

/** The worker holds the app for offline work; a new version waits until a person takes it. */
async function work() {
  const registration = await register();
  if (!registration) return;
  const waits = () => { if (registration.waiting
    && navigator.serviceWorker.controller) { app.update = registration.waiting; app.render(); } };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", waits));
  waits();
  let taken = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (taken && app.update) location.reload(); // only after the person pressed: see takeUpdate
    taken = true;
    changed();
  });
  navigator.serviceWorker.addEventListener("message", (event) => event.data === "sync" && app.send());
}

/** Where the browser does not let a worker in, nothing works offline: the screen then says why. */
async function register() {
  let why = app.noOffline === "insecure" || "serviceWorker" in navigator ? app.noOffline : "none";
  if (why === "unfetched") why = "";
  if (!why) {
    try {
      return await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" });
    } catch (problem) {
      // Out of reach with a worker from before: it goes on serving. A certificate that is not trusted is a SecurityError.
      if (!navigator.serviceWorker.controller) why = /** @type {Error} */ (problem).name === "SecurityError" ? "certificate" : "unfetched";
      console.error(problem);
    }
  }
  app.noOffline = why;
  app.render();
  if (why === "unfetched") setTimeout(() => work().catch(console.error), WORKER_AGAIN_MS);
  return null;
}

/** While a label, button or link is held down nothing is drawn; a drag on a drawing goes on. */
function holdStill() {
  const lift = () => { pressed = 0; if (isOwed) draw(); };
  addEventListener("pointerdown", (event) => {
    clearTimeout(pressed);
    pressed = /** @type {Element} */ (event.target).closest?.("label, button, a, summary") ? setTimeout(lift, HELD_MS) : 0;
  }, true);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => {
    if (pressed) { clearTimeout(pressed); pressed = setTimeout(lift, CLICK_MS); }
  }, true);
  // From here on the press is taken: what it changes is drawn at once, and what waited is drawn with it.
  addEventListener("click", () => { if (pressed) { clearTimeout(pressed); pressed = 0; setTimeout(lift); } }, true);
}

async function start() {
  holdStill();
  addEventListener("beforeinstallprompt", (event) => { event.preventDefault(); app.canInstall = event; app.render(); });
  addEventListener("appinstalled", () => { app.installed = true; app.render(); });
  addEventListener("hashchange", route);
  line?.addEventListener?.("change", () => app.send());

  await store.start();
  await speakAs(preferences.all.language);
  app.early = store.inspections.day();
  /** @type {any} */
  let resumed;
  [app.status, app.reference, resumed] = await Promise.all([store.status(), store.inspections.reference(), store.inspections.resume()]);
  store.onStatus(changed);
  store.bus.listen((topic) => topic === "person" && changedHands());
  store.bus.listen((topic) => topic === "reference" && speakAs(preferences.all.language).then(() => app.render()));
  store.inspections.onChange(changed);
  if (!app.status.enrolled && !/^#enrol=/.test(location.hash)) history.replaceState(null, "", "#/welcome");
  // A reload or a crash comes back to the field one was in; an address that was asked for goes first.
  else if (resumed && (location.hash === "" || location.hash === "#/")) history.replaceState(null, "",
    `#/visit/${resumed.id}/${resumed.section}`);
  await route();
  app.early = null;
  work().catch((problem) => console.error(problem));
  await changed();
  (await sync()).engine.start();
  await screens.warm();
}

/** A part that did not come is mostly there a moment later: the app opens once again before it asks anybody to. */
function openAgain() {
  try {
    const last = Number(sessionStorage.getItem("opened_again_at"));
    if (now().getTime() - last < AGAIN_MS) return false;
    sessionStorage.setItem("opened_again_at", String(now().getTime()));
  } catch { return false; } // without a note of it, it might open again for ever
  location.reload();
  return true;
}

start().catch((problem) => { console.error(problem); if (!openAgain()) { screen = screens.broken(); draw(); } });
