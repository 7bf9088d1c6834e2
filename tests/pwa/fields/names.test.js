import assert from 'node:assert/strict';
import test from 'node:test';
import { shownValue } from '../../../inspect_app/static/pwa/fields/shown.js';

test('a list of names inside a row is told by its names', () => {
  const field = { type: 'list', row: [{ field: 'id', type: 'text' }] };
  assert.equal(shownValue(field, [{ id: 'D2' }, { id: 'D3' }], { timezone: 'America/Chicago' }).value, 'D2, D3');
});
