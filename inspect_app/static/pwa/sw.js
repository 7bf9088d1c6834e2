/**
 * The service worker: holds the tablet app's files, all of one version or none, so that it opens with no signal.
 *
 * A classic script without imports. The server puts `self.FIELD = {version, shell, files}` in front of it, with the
 * SHA-256 of every file. A new version is fetched whole, in one answer, and verified before it can wait, and takes over only when a
 * person presses "Update" (or when no page of the old one is open).
 */

/* global self, caches, clients */

const worker = /** @type {any} */ (self);
const { version, shell, bundle, files } = worker.FIELD;
const PREFIX = 'field-';
const CACHE = PREFIX + version;
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
    if (url.pathname.startsWith(shell) && !(url.pathname in files)) event.respondWith(held(shell, request));
    else if (url.pathname in files) event.respondWith(held(url.pathname, request));
  } else if (url.pathname in files) {
    event.respondWith(held(url.pathname, request));
  }
});
worker.addEventListener('message', (event) => {
  const word = event.data?.type ?? event.data;
  if (word === 'SKIP_WAITING') worker.skipWaiting();
  if (word === 'VERSION') event.ports[0]?.postMessage(version);
});
// Where the browser tells of a connection in the background, an open page is told to send.
worker.addEventListener('sync', (event) => event.waitUntil(tellPages('sync')));

/** What the page's answers carry besides their text: above all the policy that lets no foreign code in. */
const GUARDS = [
  'Content-Security-Policy', 'X-Content-Type-Options', 'Referrer-Policy', 'Cross-Origin-Opener-Policy',
  'Cross-Origin-Resource-Policy', 'Permissions-Policy',
];

/**
 * Fetches all files in one answer and verifies each; one that fails leaves the version that works in place.
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
    await Promise.all(Object.entries(files).map(([path, sha256]) => keep(cache, path, String(sha256), brought[path], guards)));
  } catch (problem) {
    await caches.delete(CACHE);
    throw problem;
  }
}

/** @param {Cache} cache @param {string} path @param {string} sha256 @param {{type: string, text: string}|undefined} file @param {any[]} guards */
async function keep(cache, path, sha256, file, guards) {
  const bytes = new TextEncoder().encode(file?.text);
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  const found = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (found !== sha256) throw new Error(`${path} is not the file of this version`);
  const headers = { ...Object.fromEntries(guards), 'Content-Type': String(file?.type) };
  await cache.put(path, new Response(bytes, { headers }));
}

async function clean() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
  await worker.clients.claim();
}

/** @param {string} path @param {Request} request */
async function held(path, request) {
  const response = await (await (opened ??= caches.open(CACHE))).match(path);
  return response ?? fetch(request); // the browser threw the cache away: better a try than nothing
}

/** @param {string} word */
async function tellPages(word) {
  for (const page of await worker.clients.matchAll({ type: 'window' })) page.postMessage(word);
}
