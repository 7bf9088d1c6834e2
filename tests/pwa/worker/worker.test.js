/** The service worker's own text, run in a small world of caches and a network that can misbehave. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';

const SOURCE = readFileSync(new URL('../../../inspect_app/static/pwa/sw.js', import.meta.url), 'utf8');
const ORIGIN = 'http://office.test';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

class Caches {
  stores = new Map();
  async open(name) {
    if (!this.stores.has(name)) this.stores.set(name, new Map());
    const store = this.stores.get(name);
    return { put: async (path, response) => { store.set(path, response); },
      match: async (path) => store.get(path)?.clone() };
  }
  async keys() { return [...this.stores.keys()]; }
  async delete(name) { return this.stores.delete(name); }
}

const bundle = (site) => JSON.stringify(Object.fromEntries(Object.entries(site).map(([path, text]) => [path, { type: 'text/plain', text }])));

/** One hash over all files, as the server makes it. @param {Record<string, string>} listed */
const digestOf = (listed) => sha256(Object.keys(listed).sort().map((path) => `${sha256(listed[path])} ${path}\n`).join(''));

/** One version of the worker over shared caches. @param {Record<string, string>} site what the network has */
function start(version, listed, site, caches = new Caches(), map = undefined) {
  const listeners = {};
  const asked = [];
  const self = {
    FIELD: { version, shell: '/field/', bundle: '/field/bundle.json', digest: digestOf(listed), files: Object.keys(listed).sort(), ...(map && { map }) },
    location: { origin: ORIGIN },
    addEventListener: (name, callback) => { listeners[name] = callback; },
    skipWaiting: () => { self.skipped = true; },
    clients: { claim: async () => {}, matchAll: async () => [{ postMessage: (word) => asked.push(`page ${word}`) }] },
  };
  vm.runInNewContext(SOURCE, {
    self, caches, URL, Response, TextEncoder, crypto, Uint8Array, console: { error: () => {} }, Map, Set, Error, Promise, Object, String,
    fetch: async (what, options) => {
      const path = typeof what === 'string' ? what : new URL(what.url).pathname;
      asked.push(options?.cache ? `${path} ${options.cache}` : path);
      if (path === '/field/bundle.json') return site.down ? new Response('<h1>503</h1>', { status: site.down }) : new Response(bundle(site), { headers: POLICY });
      return site[path] === undefined ? new Response('<h1>503</h1>', { status: 503 }) : new Response(site[path]);
    },
  });
  const event = async (name, more = {}) => {
    let waited = null;
    let answer = null;
    listeners[name]({ ...more, waitUntil: (promise) => { waited = promise; }, respondWith: (promise) => { answer = promise; } });
    await waited;
    return answer;
  };
  const get = async (path, mode = 'no-cors', method = 'GET') => {
    const answer = await event('fetch', { request: { url: path.startsWith('http') ? path : ORIGIN + path, mode, method } });
    return answer ? (await answer).text() : null;
  };
  const policy = async (path) => (await (await event('fetch', { request: { url: ORIGIN + path, mode: 'navigate', method: 'GET' } }))).headers.get('Content-Security-Policy');
  return { self, caches, asked, event, get, policy };
}

const POLICY = { 'Content-Security-Policy': "default-src 'none'" };
const V1 = { '/field/': 'page 1', '/static/pwa/app.js': 'app 1' };
const V2 = { '/field/': 'page 2', '/static/pwa/app.js': 'app 2' };

test('installing brings everything in one answer, past the HTTP cache, and then serves all without a network', async () => {
  const site = { ...V1 };
  const worker = start('1', V1, site);
  await worker.event('install');
  assert.deepEqual(worker.asked, ['/field/bundle.json reload']);
  for (const path of Object.keys(site)) delete site[path];
  assert.equal(await worker.get('/static/pwa/app.js'), 'app 1');
  assert.equal(await worker.get('/field/', 'navigate'), 'page 1');
  assert.equal(await worker.get('/field/anything/below', 'navigate'), 'page 1');
});

for (const [what, site] of [
  ['an error page', { ...V2, down: 503 }],
  ['a sign-in page that answers 200', { ...V2, down: 200 }],
  ['half a deployment', { ...V2, '/static/pwa/app.js': 'app 1' }],
  ['an answer without one of the files', { '/field/': 'page 2' }],
]) {
  test(`${what} in the place of the new version keeps the one that works`, async () => {
    const caches = new Caches();
    const old = start('1', V1, V1, caches);
    await old.event('install');
    await old.event('activate');
    await assert.rejects(start('2', V2, site, caches).event('install'));
    assert.deepEqual(await caches.keys(), ['field-1']);
    assert.equal(await old.get('/static/pwa/app.js'), 'app 1');
  });
}

test('what is served from the cache carries the policy of the page', async () => {
  const worker = start('1', V1, V1);
  await worker.event('install');
  assert.match(await worker.policy('/field/'), /default-src/);
});

test('a new version waits until it is told, and only then removes the old one', async () => {
  const caches = new Caches();
  const old = start('1', V1, V1, caches);
  await old.event('install');
  await caches.open('map-tiles');
  const fresh = start('2', V2, V2, caches);
  await fresh.event('install');
  assert.equal(fresh.self.skipped, undefined);
  assert.equal(await old.get('/static/pwa/app.js'), 'app 1');
  await fresh.event('message', { data: 'SKIP_WAITING', ports: [] });
  assert.equal(fresh.self.skipped, true);
  await fresh.event('activate');
  assert.deepEqual((await caches.keys()).sort(), ['field-2', 'map-tiles']);
  assert.equal(await fresh.get('/field/', 'navigate'), 'page 2');
});

test('the API, other origins, other pages and anything that writes are never touched', async () => {
  const worker = start('1', V1, V1);
  await worker.event('install');
  assert.equal(await worker.get('/api/v1/changes'), null);
  assert.equal(await worker.get('https://elsewhere.test/static/pwa/app.js'), null);
  assert.equal(await worker.get('/queue', 'navigate'), null);
  assert.equal(await worker.get('/field/', 'navigate', 'POST'), null);
  assert.equal(await worker.get('/static/office.css'), null);
});

test('a cache the browser threw away is no dead end', async () => {
  const worker = start('1', V1, V1);
  await worker.event('install');
  worker.caches.stores.get('field-1').clear();
  assert.equal(await worker.get('/static/pwa/app.js'), 'app 1');
});

test('a background wake-up tells an open page to send', async () => {
  const worker = start('1', V1, V1);
  await worker.event('sync', { tag: 'send' });
  assert.deepEqual(worker.asked, ['page sync']);
});

const LIBRARY = { '/static/vendor/maplibre-gl/dist/maplibre-gl.mjs': 'library 1', '/static/pwa/screens/gl_map.js': 'drawing 1' };
const mapOf = (version, files) => ({ version, files: Object.fromEntries(Object.entries(files).map(([path, text]) => [path, { sha256: sha256(text), bytes: text.length }])) });

/** Asks the worker to keep the map, and gives what it said. */
async function kept(worker) {
  const said = [];
  await worker.event('message', { data: 'KEEP_MAP', ports: [{ postMessage: (word) => said.push(word.of ?? word.bytes ?? word) }] });
  return said;
}

test('what draws the map is no part of the shell, and is kept when somebody asks for it', async () => {
  const site = { ...V1, ...LIBRARY };
  const worker = start('1', V1, site, new Caches(), mapOf('m1', LIBRARY));
  await worker.event('install');
  assert.deepEqual([...worker.caches.stores.keys()], ['field-1']);
  assert.deepEqual(await kept(worker), [18, 9, 9, 'kept']);
  for (const path of Object.keys(LIBRARY)) delete site[path];
  assert.equal(await worker.get('/static/pwa/screens/gl_map.js'), 'drawing 1');
  await worker.event('message', { data: 'DROP_MAP', ports: [] });
  assert.deepEqual([...worker.caches.stores.keys()], ['field-1']);
});

test('half of what draws the map, or another version of it, is not called kept; what came stays for the next try', async () => {
  const site = { ...V1, ...LIBRARY, '/static/pwa/screens/gl_map.js': '<h1>sign in</h1>' };
  const worker = start('1', V1, site, new Caches(), mapOf('m1', LIBRARY));
  await worker.event('install');
  assert.deepEqual(await kept(worker), [18, 9, 'broken']);
  site['/static/pwa/screens/gl_map.js'] = 'drawing 1';
  worker.asked.length = 0;
  assert.deepEqual(await kept(worker), [18, 9, 9, 'kept']);
  assert.deepEqual(worker.asked, ['/static/pwa/screens/gl_map.js reload']);
});

test('an update that changes what draws the map lets go of the old one; another update leaves it', async () => {
  const caches = new Caches();
  const first = start('1', V1, { ...V1, ...LIBRARY }, caches, mapOf('m1', LIBRARY));
  await first.event('install');
  await kept(first);
  const second = start('2', V2, { ...V2 }, caches, mapOf('m1', LIBRARY));
  await second.event('install');
  await second.event('activate');
  assert.deepEqual([...caches.stores.keys()].sort(), ['field-2', 'library-m1']);
  const third = start('3', V2, { ...V2 }, caches, mapOf('m2', LIBRARY));
  await third.event('install');
  await third.event('activate');
  assert.deepEqual([...caches.stores.keys()].sort(), ['field-3']);
});
