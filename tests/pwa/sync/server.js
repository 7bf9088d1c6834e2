/**
 * A small server in memory that speaks the protocol of docs/sync.md: numbering, chain, signatures, replay, per-op
 * results, groups that name what they replace, the feed, and tus. It stands in for the network's far end only; the
 * browser tests run against the real one. `between` breaks the line in the ways lines break.
 */

import { createHash, randomUUID, webcrypto } from 'node:crypto';

const sha256 = (value) => createHash('sha256').update(value).digest('hex');

export class FakeServer {
  constructor({ village = 'barneveld' } = {}) {
    this.village = village;
    this.epoch = 'e-1';
    this.devices = new Map();
    this.ops = new Map(); // op_id -> {device_id, seq, content, result}
    this.raw = [];
    this.records = new Map(); // id -> {rev, chg, doc, deleted}
    this.conflicts = new Map();
    this.assignments = [];
    this.feed = []; // {chg, entity, id}
    this.chg = 0;
    this.tokens = new Map();
    this.photos = new Map();
    this.uploads = new Map();
    this.blobs = new Map();
    this.requests = [];
    this.reference = { village: { slug: village, allow_unprotected_storage: true }, person: PERSON,
      protocols: [{ protocol: 'tap', version: '1', title: 'Tap check' }], packs: { [PACK]: { rules: [] } }, pack: PACK };
    this.quarantine = () => null; // content -> reason
    this.mostOps = 100;
    this.nowMs = Date.UTC(2026, 5, 3, 14, 0, 0);
    this.personGood = true;
    /** @type {null|((request: any, answer: () => Promise<Response>) => Promise<Response>)} */
    this.between = null;
  }

  /** The tablet's fetch. */
  fetch = async (url, init = {}) => {
    const path = new URL(url, 'http://office.test').pathname + new URL(url, 'http://office.test').search;
    const request = { method: init.method ?? 'GET', path, headers: new Headers(init.headers), body: init.body, init };
    this.requests.push({ method: request.method, path });
    const answer = () => this.answer(request);
    return this.between ? this.between(request, answer) : answer();
  };

  async answer({ method, path, headers, body }) {
    const [route, query] = path.replace('/api/v1', '').split('?');
    const json = () => JSON.parse(body);
    if (route === '/devices') return this.enrol(json());
    if (route === '/time') return reply(200, { server_time: this.now(), nonce: 'n' });
    if (route === '/auth/device') return this.grant(json());
    if (route === '/auth/person') return this.signIn(json());
    const token = this.tokens.get((headers.get('Authorization') ?? '').replace('Bearer ', ''));
    if (!token) return problem(401, 'The token is unknown or over.');
    if (route === '/changes' || route === '/reference') return this.read(route, new URLSearchParams(query), token, headers);
    if (route === '/ops') return this.push(json());
    if (route === '/ops/carried') return this.carried(json());
    if (route === '/ops/raw') return this.keepRaw(token, headers, body);
    if (route === '/ops/have') return reply(200, { known: json().ops.filter((id) => this.ops.has(id)) });
    if (route === '/photos/status') return this.status(new URLSearchParams(query));
    if (route.startsWith('/files')) return this.tus(method, route, headers, body);
    return problem(404, 'no such route');
  }

  now() { return new Date(this.nowMs).toISOString(); }

  enrol({ code, public_key }) {
    if (!code.startsWith('GOOD')) return problem(401, 'This code is not known.');
    const [made] = [...this.devices].find(([, one]) => one.public_key.x === public_key.x && one.last_seq === 0) ?? [];
    const device_id = made ?? randomUUID();
    this.devices.set(device_id, { public_key, last_seq: 0, last_hash: '', revoked: false });
    const person_token = `p-${randomUUID()}`;
    this.tokens.set(person_token, { scope: 'pull', device_id });
    return reply(201, { device_id, kid: `k-${device_id}`, epoch: this.epoch, village: this.village, person: PERSON, person_token });
  }

  async grant({ device_id, nonce, sig }) {
    const device = this.devices.get(device_id);
    if (!device || !(await verified(device.public_key, nonce, sig))) return problem(401, 'The device is not known.');
    const token = `d-${randomUUID()}`;
    this.tokens.set(token, { scope: 'push upload', device_id });
    return reply(200, { token, expires_at: new Date(this.nowMs + 900_000).toISOString(), scope: 'push upload', server_time: this.now() });
  }

  signIn({ device_id, sign_in_name, password }) {
    const person = sign_in_name === 'inspector-b' ? SECOND : PERSON;
    if (password !== 'right') return problem(401, 'Name or password is not right.');
    this.personGood = true;
    const person_token = `p-${randomUUID()}`;
    this.tokens.set(person_token, { scope: 'pull', device_id, person });
    return reply(200, { person_token, person });
  }

  read(route, query, token, headers) {
    if (token.scope !== 'pull') return problem(403, 'This token is not for pull.');
    if (this.devices.get(token.device_id).revoked) return problem(403, 'This tablet was taken out of use.');
    if (!this.personGood) return problem(401, 'The sign-in is over.');
    if (route === '/reference') {
      const etag = `"${sha256(JSON.stringify(this.reference))}"`;
      return headers.get('If-None-Match') === etag ? new Response(null, { status: 304, headers: { 'X-Sync': '1' } }) : reply(200, this.reference, { ETag: etag });
    }
    const [epoch, from] = (query.get('cursor') || `${this.epoch}:0`).split(':');
    if (epoch !== this.epoch) return reply(200, { epoch: this.epoch, changes: [], cursor: query.get('cursor'), more: true });
    const limit = this.page ?? Number(query.get('limit'));
    const rows = this.feed.filter((row) => row.chg > Number(from));
    const some = rows.slice(0, limit);
    const to = some.length ? some.at(-1).chg : this.chg;
    return reply(200, {
      epoch: this.epoch, server_time: this.now(), cursor: `${this.epoch}:${to}`, more: rows.length > some.length,
      changes: some.filter((row) => row.id).map((row) => row.entity === 'assignment'
        ? { chg: row.chg, entity: 'assignment', id: row.id, doc: this.assignments.find((one) => one.id === row.id), deleted: false }
        : { entity: 'inspection', id: row.id, ...structuredClone(this.records.get(row.id)), chg: row.chg }),
      conflicts: [...this.conflicts.values()].map((one) => structuredClone(one)), forget: this.forget ?? [], checkpoint: { chg: this.chg },
    });
  }

  async push({ device_id, epoch, ops }) {
    if (epoch !== this.epoch) return problem(409, 'The server was restored.', { epoch: this.epoch });
    if (ops.length > this.mostOps) return problem(413, 'Too many.');
    for (const op of ops) if (this.refuses?.(JSON.parse(JSON.parse(op.body).content))) return problem(400, 'The batch cannot be read.');
    const results = [];
    for (const envelope of ops) {
      const result = await this.apply(device_id, envelope);
      results.push(result);
      if (['gap', 'fork'].includes(result.status)) break;
    }
    return reply(200, { batch: 'b', epoch: this.epoch, server_time: this.now(), results });
  }

  async carried({ ops }) {
    const results = [];
    for (const envelope of ops) results.push(await this.apply(JSON.parse(envelope.body).device_id, envelope));
    return reply(200, { epoch: this.epoch, results });
  }

  keepRaw({ device_id }, headers, body) {
    const device = this.devices.get(device_id);
    this.raw.push(Buffer.from(body).toString());
    if (!this.rawTakesNoNumber && Number(headers.get('X-Op-Seq')) === device.last_seq + 1) {
      device.last_seq += 1;
      device.last_hash = headers.get('X-Op-Hash');
    }
    return reply(200, {});
  }

  async apply(device_id, envelope) {
    const device = this.devices.get(device_id);
    const body = JSON.parse(envelope.body);
    const known = this.ops.get(body.op_id);
    if (known && known.device_id === device_id && known.seq === body.seq) return known.result;
    if (body.seq > device.last_seq + 1) return { op_id: body.op_id, seq: body.seq, status: 'gap', expect: device.last_seq + 1 };
    if (body.seq <= device.last_seq || body.prev !== device.last_hash) return { op_id: body.op_id, seq: body.seq, status: 'fork' };
    device.last_seq = body.seq;
    device.last_hash = sha256(envelope.body);
    if (known) return { ...known.result, seq: body.seq };
    const content = JSON.parse(body.content);
    const result = { op_id: body.op_id, seq: body.seq };
    const reason = device.revoked ? 'device_revoked'
      : (await verified(device.public_key, envelope.body, envelope.sig)) ? this.quarantine(content) : 'bad_signature';
    if (reason) Object.assign(result, { status: 'quarantined', reason, chg: this.tick(null) });
    else Object.assign(result, this.merge(body.op_id, content));
    this.ops.set(body.op_id, { device_id, seq: body.seq, content, result });
    return result;
  }

  tick(id, entity = 'inspection') {
    this.chg += 1;
    this.feed = this.feed.filter((row) => !id || row.id !== id);
    this.feed.push({ chg: this.chg, entity, id });
    return this.chg;
  }

  merge(op, content) {
    const id = content.record_id;
    const made = { by: content.user_id, at: content.wall };
    if (content.kind === 'record.create') {
      const { village, protocol, protocol_version, pack, assignment_id, place, permit_no, parent_record } = content;
      this.records.set(id, { rev: 1, deleted: false, doc: { groups: {}, lists: {}, photos: [], custody: [], submitted: null,
        state: 'draft', number: `T-${this.records.size + 1}`, village, protocol, protocol_version, pack, assignment_id, place,
        permit_no, parent_record, inspector_id: content.user_id } });
      return { status: 'applied', chg: this.tick(id), rev: 1 };
    }
    const record = this.records.get(id);
    if (!record) return { status: 'quarantined', reason: 'record_unknown', chg: this.tick(null) };
    record.rev += 1;
    let status = 'applied';
    const conflicts = [];
    if (content.kind === 'group.set') {
      const now = record.doc.groups[content.group];
      if ((now?.op ?? '') === content.replaces || content.group === 'signatures') record.doc.groups[content.group] = { op, values: content.values, ...made };
      else if (JSON.stringify(now?.values) === JSON.stringify(content.values)) status = 'noop';
      else {
        status = 'conflict';
        conflicts.push(op);
        this.conflicts.set(op, { id: op, record_id: id, what: `group:${content.group}`, kind: 'group', current_op: now?.op,
          candidates: [{ op, values: content.values, ...made }], state: 'open' });
      }
    } else if (content.kind === 'list.add') (record.doc.lists[content.list] ??= []).push({ id: content.row_id, op, row: content.row, ...made });
    else if (content.kind === 'photo.attach') {
      const { photo_id, sha256: hash, bytes, mime, row } = content;
      record.doc.photos.push({ photo_id, sha256: hash, bytes, mime, row, state: 'missing', op, ...made });
      if (!this.photos.has(photo_id)) this.photos.set(photo_id, { state: 'missing', sha256: hash });
    } else if (content.kind === 'record.submit') { record.doc.state = 'submitted'; record.doc.submitted = { op, ...made }; }
    else if (content.kind === 'record.delete') record.deleted = true;
    else if (content.kind === 'record.move_form') record.doc.protocol_version = content.protocol_version;
    return { status, chg: this.tick(id), rev: record.rev, conflicts };
  }

  status(query) {
    const photos = query.get('ids').split(',').map((photo_id) => {
      const at = this.photos.get(photo_id);
      return { photo_id, state: at?.state ?? 'missing', sha256: at?.sha256 };
    });
    return reply(200, { photos });
  }

  tus(method, route, headers, body) {
    if (method === 'POST') {
      const said = Object.fromEntries(headers.get('Upload-Metadata').split(',').map((pair) => { const [key, value] = pair.split(' '); return [key, atob(value)]; }));
      const id = sha256(`${said.photo_id} ${said.kind} ${this.attempt?.get(said.photo_id) ?? 0}`).slice(0, 24);
      if (!this.uploads.has(id)) this.uploads.set(id, { ...said, length: Number(headers.get('Upload-Length')), bytes: Buffer.alloc(0) });
      return new Response(null, { status: 201, headers: { 'X-Sync': '1', Location: `/api/v1/files/${id}`, 'Upload-Offset': String(this.uploads.get(id).bytes.length) } });
    }
    const upload = this.uploads.get(route.split('/').at(-1));
    if (!upload) return problem(404, 'no such upload');
    const offsets = () => ({ 'X-Sync': '1', 'Upload-Offset': String(upload.bytes.length), 'Upload-Length': String(upload.length) });
    if (method === 'HEAD') return new Response(null, { status: 200, headers: offsets() });
    if (Number(headers.get('Upload-Offset')) !== upload.bytes.length) return problem(409, 'another offset');
    const chunk = Buffer.from(body);
    this.received = (this.received ?? 0) + chunk.length;
    if (this.mostBytes && chunk.length > this.mostBytes) return problem(413, 'too large');
    const [, sum] = headers.get('Upload-Checksum').split(' ');
    if (createHash('sha256').update(chunk).digest('base64') !== sum) return problem(460, 'checksum');
    upload.bytes = Buffer.concat([upload.bytes, chunk]);
    if (upload.bytes.length === upload.length) this.finish(upload);
    return new Response(null, { status: 204, headers: offsets() });
  }

  finish(upload) {
    if (upload.kind !== 'original') { this.blobs.set(upload.sha256, upload.bytes); return; }
    const good = sha256(upload.bytes) === upload.sha256;
    if (good) this.blobs.set(upload.sha256, upload.bytes);
    else { this.attempt ??= new Map(); this.attempt.set(upload.photo_id, (this.attempt.get(upload.photo_id) ?? 0) + 1); }
    this.photos.set(upload.photo_id, { state: good ? 'stored' : 'bad', sha256: upload.sha256 });
  }
}

export const PERSON = { id: '0190aaaa-0000-7000-8000-000000000001', name: 'Inspector A', roles: ['inspector'] };
export const SECOND = { id: '0190aaaa-0000-7000-8000-000000000002', name: 'Inspector B', roles: ['inspector'] };
export const PACK = 'a'.repeat(64);

export function reply(status, body, headers = {}) {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', 'X-Sync': '1', ...headers } });
}

export function problem(status, detail, more = {}) {
  return reply(status, { status, detail, ...more }, { 'Content-Type': 'application/problem+json' });
}

async function verified(jwk, text, sig) {
  const key = await webcrypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify']);
  return webcrypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(sig, 'base64'), Buffer.from(text));
}
