import assert from 'node:assert/strict';
import test from 'node:test';
import { carried } from '../../../inspect_app/static/pwa/store/carrying.js';

const FORM = {
  carries: ['permit_no', 'outlets.id', 'outlets.side'],
  sections: [
    { groups: [{ group: 'permit', fields: [{ field: 'permit_no' }, { field: 'permit_seen_at' }] }] },
    { groups: [{ group: 'outlets', fields: [{ field: 'outlets', row: [{ field: 'id' }, { field: 'side' }, { field: 'result' }] }] }] },
    { kind: 'photos' },
  ],
};
const GROUPS = {
  permit: { values: { permit_no: 'BV-1', permit_seen_at: '2026-06-18T10:00:00-05:00' } },
  outlets: { values: { outlets: [{ id: 'D1', side: 'NE', result: 'connected' }, { result: 'connected' }] } },
  place: { values: { gps: { lat: 43, lon: -89 } } },
};

test('a later visit begins with what its form carries over, and with no reading', () => {
  assert.deepEqual(carried(FORM, GROUPS), { permit: { permit_no: 'BV-1' }, outlets: { outlets: [{ id: 'D1', side: 'NE' }] } });
});

test('a form that carries nothing, or no form, begins with nothing', () => {
  assert.deepEqual(carried({ ...FORM, carries: undefined }, GROUPS), {});
  assert.deepEqual(carried(undefined, GROUPS), {});
});
