/**
 * The service worker: holds the tablet app's files, all of one version or none, so that it opens with no signal.
 *
 * A classic script without imports. The server puts `self.FIELD = {version, shell, bundle, digest, files}` in front of it,
 * with one SHA-256 over the list of all files and theirs. A new version is fetched whole, in one answer, and verified before it can wait, and takes over only when a
 * person presses "Update" (or when no page of the old one is open).
 */

/* global self, caches, clients */

const worker = /** @type {any} */ (self);
const { version, shell, bundle, digest, files } = worker.FIELD;
const listed = new Set(files);
/** What draws the map: kept when a person asks for the map, since it is three times as large as all the rest. */
const map = worker.FIELD.map ?? { version: '', files: {} };
const PREFIX = 'field-';
const CACHE = PREFIX + version;
const MAP_PREFIX = 'library-';
const MAP_CACHE = MAP_PREFIX + map.version;
/** @type {Promise<Cache>|undefined} */
let opened;

worker.addEventListener('install', (event) => event.waitUntil(fill()));
worker.addEventListener('activate', (event) => event.waitUntil(clean()));
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== worker.location.origin || url.pathname.startsWith('/api/')) return;
  // One page serves every address below the app's own; what is not listed is none of our business.
  if (request.mode === 'navigate') {
    if (url.pathname.startsWith(shell) && !listed.has(url.pathname)) event.respondWith(held(shell, request));
    else if (listed.has(url.pathname)) event.respondWith(held(url.pathname, request));
  } else if (listed.has(url.pathname)) {
    event.respondWith(held(url.pathname, request));
  } else if (map.files[url.pathname]) {
    event.respondWith(held(url.pathname, request, MAP_CACHE));
  }
});
worker.addEventListener('message', (event) => {
  const word = event.data?.type ?? event.data;
  if (word === 'SKIP_WAITING') worker.skipWaiting();
  if (word === 'VERSION') event.ports[0]?.postMessage(version);
  if (word === 'KEEP_MAP') event.waitUntil(keepMap(event.ports[0]));
  if (word === 'DROP_MAP') event.waitUntil(caches.delete(MAP_CACHE));
});
// Where the browser tells of a connection in the background, an open page is told to send.
worker.addEventListener('sync', (event) => event.waitUntil(tellPages('sync')));

/** What the page's answers carry besides their text: above all the policy that lets no foreign code in. */
const GUARDS = [
  'Content-Security-Policy', 'X-Content-Type-Options', 'Referrer-Policy', 'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy', 'Permissions-Policy',
];

/**
 * Fetches all files in one answer and verifies them; one that is another leaves the version that works in place.
 * Together they are a fifth smaller on the line than one by one, and a poor line is crossed once instead of a
 * hundred times.
 */
async function fill() {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(bundle, { cache: 'reload', credentials: 'same-origin' });
    // A gateway's error page, a sign-in page or half a deployment must never be kept as a script.
    if (!response.ok || response.redirected) throw new Error(`${bundle} answered ${response.status}`);
    const brought = await response.json();
    const guards = GUARDS.map((name) => [name, response.headers.get(name)]).filter(([, value]) => value);
    const bytes = new Map(files.map((path) => [path, new TextEncoder().encode(brought[path]?.text ?? '')]));
    const lines = await Promise.all(files.map(async (path) => `${await sha256(bytes.get(path))} ${path}\n`));
    if ((await sha256(new TextEncoder().encode(lines.join('')))) !== digest) throw new Error('These are not the files of this version');
    for (const [path, body] of bytes) {
      const headers = { ...Object.fromEntries(guards), 'Content-Type': String(brought[path]?.type) };
      await cache.put(path, new Response(body, { headers }));
    }
  } catch (problem) {
    await caches.delete(CACHE);
    throw problem;
  }
}

/** Keeps what draws the map, file by file: says how many bytes that is, after each file its own, at last whether all are here.
 * @param {MessagePort} port */
async function keepMap(port) {
  try {
    const cache = await caches.open(MAP_CACHE);
    port.postMessage({ of: Object.values(map.files).reduce((sum, { bytes }) => sum + bytes, 0) });
    for (const [path, { bytes, sha256: wanted }] of Object.entries(map.files)) {
      if (!(await cache.match(path))) {
        const response = await fetch(path, { cache: 'reload', credentials: 'same-origin' });
        const body = new Uint8Array(await response.arrayBuffer());
        if (!response.ok || response.redirected || (await sha256(body)) !== wanted) throw new Error(`${path} is not the file of this version`);
        const headers = { 'Content-Type': String(response.headers.get('Content-Type')), 'X-Content-Type-Options': 'nosniff' };
        await cache.put(path, new Response(body, { headers }));
      }
      port.postMessage({ bytes });
    }
    port.postMessage('kept');
  } catch (problem) {
    console.error(problem);
    port.postMessage('broken');
  }
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function sha256(bytes) {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function clean() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
    if (name.startsWith(MAP_PREFIX) && name !== MAP_CACHE) await caches.delete(name);
  }
  await worker.clients.claim();
}

/** @param {string} path @param {Request} request @param {string} [where] */
async function held(path, request, where) {
  // A cache that could not be opened is opened anew for the next file.
  const cache = where ? caches.open(where) : (opened ??= caches.open(CACHE).catch((problem) => { opened = undefined; throw problem; }));
  const response = await (await cache).match(path);
  return response ?? fetch(request); // the browser threw the cache away: better a try than nothing
}

/** @param {string} word */
async function tellPages(word) {
  for (const page of await worker.clients.matchAll({ type: 'window' })) page.postMessage(word);
}
