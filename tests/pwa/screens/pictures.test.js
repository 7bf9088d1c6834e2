import assert from "node:assert/strict";
import { test } from "node:test";

import { makePictures } from "../../../inspect_app/static/pwa/screens/pictures.js";

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test("a hundred photos on one screen are each read once, however often it is drawn", async () => {
  const reads = [];
  const ids = Array.from({ length: 100 }, (_, n) => `photo-${n}`);
  const draw = () => ids.map((id) => pictures.url("r", id));
  const pictures = makePictures({ photo: async (_, id) => { reads.push(id); return new Blob(["x"]); } }, draw);
  draw();
  await settled();
  assert.equal(reads.length, 100);
  assert.ok(draw().every((url) => String(url).startsWith("blob:")));
});

test("what left the screen long ago is let go when others come", async () => {
  const reads = [];
  const pictures = makePictures({ photo: async (_, id) => { reads.push(id); return new Blob(["x"]); } }, () => {});
  const { now } = performance;
  for (let n = 0; n < 50; n++) { pictures.url("r", `old-${n}`); await settled(); }
  performance.now = () => now.call(performance) + 60_000;
  pictures.url("r", "new");
  await settled();
  performance.now = now;
  assert.equal(pictures.url("r", "old-0"), undefined);
  assert.equal(typeof pictures.url("r", "new"), "string");
});
