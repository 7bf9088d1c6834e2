import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';

import { makeMapFetch } from '../../../inspect_app/static/pwa/sync/maps.js';
import { FakeServer } from '../sync/server.js';
import { enrolled } from './tablet.js';

const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');
const PIECE = 1000;

function mapOf(name, size, seed = 1) {
  const bytes = new Uint8Array(size).map((_, n) => (n * seed + (n >> 8)) & 255);
  const pieces = Array.from({ length: Math.ceil(size / PIECE) }, (_, n) => hash(bytes.slice(n * PIECE, (n + 1) * PIECE)));
  return { bytes, listed: { name, bytes: size, sha256: hash(bytes), piece_bytes: PIECE, pieces } };
}

/** A server that has these maps beside all else; `breaksAt` counts its answers. */
async function tabletWith(...held) {
  const server = new FakeServer();
  const tablet = await enrolled(server);
  const asked = [];
  const how = { breaksAt: Infinity, spoil: false };
  server.between = async (request, answer) => {
    const name = /\/maps\/barneveld\/(\w+)$/.exec(request.path)?.[1];
    if (!name) return answer();
    const range = /bytes=(\d+)-(\d+)/.exec(request.headers.get('Range')).slice(1).map(Number);
    asked.push(`${name} ${range[0]}`);
    if (asked.length === how.breaksAt) throw new TypeError('reset');
    const bytes = held.find((one) => one.listed.name === name).bytes.slice(range[0], range[1] + 1);
    if (how.spoil) bytes[0] ^= 1;
    return new Response(bytes, { status: 206, headers: { 'X-Sync': '1', 'Content-Type': 'application/octet-stream' } });
  };
  const listed = held.map((one) => one.listed);
  const { maps } = tablet.store;
  const fetchMap = makeMapFetch({ api: tablet.engine.api, maps });
  return { tablet, maps, listed, how, asked, get: (came = () => undefined, stop = new AbortController().signal) => fetchMap('barneveld', listed, came, stop) };
}

test('a map comes in pieces, is told in bytes, and is the file of the office again', async () => {
  const parcels = mapOf('parcels', 2500);
  const { maps, listed, get } = await tabletWith(parcels);
  const came = [];
  await get((bytes) => came.push(bytes));
  assert.deepEqual(came, [1000, 1000, 500]);
  assert.deepEqual(await maps.state(listed), { done: 2500, of: 2500, whole: ['parcels'] });
  assert.deepEqual(new Uint8Array(await (await maps.blob(listed[0])).arrayBuffer()), parcels.bytes);
});

test('a download that broke off goes on where it was, also after a restart, and says how far it is', async () => {
  const { maps, listed, how, asked, get } = await tabletWith(mapOf('mains', 1500), mapOf('parcels', 2500, 3));
  how.breaksAt = 4;
  await assert.rejects(get(), /connection/);
  assert.deepEqual(await maps.state(listed), { done: 2500, of: 4000, whole: ['mains'] });
  assert.equal(await maps.blob(listed[1]), null, 'half a layer is none');
  await get();
  assert.deepEqual(asked, ['mains 0', 'mains 1000', 'parcels 0', 'parcels 1000', 'parcels 1000', 'parcels 2000']);
  assert.equal((await maps.state(listed)).whole.length, 2);
});

test('a piece that is not the one is not kept', async () => {
  const { maps, listed, how, get } = await tabletWith(mapOf('mains', 1500));
  how.spoil = true;
  await assert.rejects(get(), /came damaged/);
  assert.equal((await maps.state(listed)).done, 0);
});

test('it stops when told to, and letting go of a map takes every piece of it', async () => {
  const { tablet, maps, listed, get } = await tabletWith(mapOf('mains', 2500), mapOf('parcels', 800, 5));
  const stop = new AbortController();
  await get(() => stop.abort(), stop.signal);
  assert.equal((await maps.state(listed)).done, 1000);
  await get();
  await maps.prune([listed[1]]);
  assert.deepEqual((await maps.state(listed)).whole, ['parcels']);
  await maps.prune([]);
  assert.deepEqual(await tablet.store.files.list('maps'), []);
});
