import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hides } from '../../../inspect_app/static/pwa/store/overlay.js';

const pulled = (op) => ({ doc: { groups: { weather: { op, values: { weather: 'rain' } } } } });
const own = (op_id, replaces, group = 'weather') => ({ op_id, content: { kind: 'group.set', group, replaces, values: {} } });

test('a value of somebody else under an own one that does not replace it is not on the screen', () => {
  assert.equal(hides(pulled('theirs'), [own('mine', 'older')]), true);
  assert.equal(hides(pulled('theirs'), [own('mine', '')]), true);
});

test('what an own value replaces, and an own value that came back, was on the screen', () => {
  assert.equal(hides(pulled('theirs'), [own('mine', 'theirs'), own('later', 'mine')]), false);
  assert.equal(hides(pulled('mine'), [own('mine', 'older'), own('later', 'mine')]), false);
  assert.equal(hides(pulled('theirs'), [own('mine', 'older', 'structure')]), false);
  assert.equal(hides(pulled('theirs'), []), false);
  assert.equal(hides(undefined, [own('mine', '')]), false);
});
