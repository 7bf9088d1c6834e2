import assert from 'node:assert/strict';
import { test } from 'node:test';

import { look } from '../../../inspect_app/static/pwa/camera/picture.js';

const bytes = (...all) => new Uint8Array(all.flat()).buffer;
const text = (words) => [...words].map((letter) => letter.charCodeAt(0));
const wide = (n) => [n >> 8, n & 255];
/** A JPEG's head: an application segment with a thumbnail's frame inside it, a table, then its own frame. */
const jpeg = (width, height) => bytes(0xff, 0xd8, 0xff, 0xe1, wide(12), 0xff, 0xc0, wide(9), 8, wide(40), wide(40), 1,
  0xff, 0xc4, wide(4), 0, 0, 0xff, 0xc2, wide(11), 8, wide(height), wide(width), 1, 1, 0x11, 0, 0xff, 0xda);

test('what a picture is and how large is read from its bytes, without decoding it', () => {
  assert.deepEqual(look(jpeg(4032, 3024)), { kind: 'image/jpeg', width: 4032, height: 3024 });
  const png = bytes(0x89, text('PNG\r\n\x1a\n'), 0, 0, 0, 13, text('IHDR'), 0, 0, wide(40), 0, 0, wide(30), 8, 2, 0, 0, 0);
  assert.deepEqual(look(png), { kind: 'image/png', width: 40, height: 30 });
});

test('HEIC is HEIC whatever its name says, and other films of the same box are no picture', () => {
  for (const brand of ['heic', 'heix', 'hevc', 'mif1']) assert.equal(look(bytes(0, 0, 0, 24, text(`ftyp${brand}`), 0, 0, 0, 0)).kind, 'image/heic');
  assert.equal(look(bytes(0, 0, 0, 24, text('ftypisom'), 0, 0, 0, 0)).kind, '');
});

test('bytes that are no picture, cut off or empty have no kind and no size', () => {
  for (const none of [bytes(), bytes(0xff), bytes(text('%PDF-1.7 something')), bytes(text('<html></html>'))]) assert.equal(look(none).kind, '');
  assert.deepEqual(look(bytes(0xff, 0xd8, 0xff, 0xe1, wide(60000), 0, 0)), { kind: 'image/jpeg', width: 0, height: 0 });
});
