import { connect } from 'node:net';
import { type Actor, newAccessToken, signInternalToken, system } from '@crm/auth';
import { type CallService, createClient, remoteService } from '@crm/client';
import { tokenInvalid } from '@crm/contract';
import { freshDatabase, someone } from '@crm/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { notesApi, notesService, reading } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';
import type { RunningService } from './index.ts';

const anna = someone();
const annasToken = newAccessToken();

let keys = await keyPair('k1');
let lookups = 0;

/** A stand-in for identity that knows one token and one key. */
const identity: CallService = async ({ procedure, input }) => {
  if (procedure === 'keys.find') {
    lookups += 1;
    return { text: JSON.stringify({ keys: [keys.jwk] }), replayed: false };
  }
  if ((input as { token: string }).token !== annasToken) throw tokenInvalid();
  return { text: JSON.stringify(anna), replayed: false };
};

const fresh = await freshDatabase([notesService.store]);
let service: RunningService;
beforeAll(async () => {
  service = await start();
});
afterAll(async () => {
  await service.close();
  await fresh.drop();
});

const start = (definition = notesService) => startNotes(fresh.urls.notes, { definition, identity });

async function keyPair(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('Ed25519');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' } };
}

const tokenFor = (actor: Actor, audience = 'notes', at = new Date(), key = keys) =>
  signInternalToken({ actor }, audience, key, at);

async function status(token: string | undefined, procedure = 'notes.find') {
  const response = await fetch(`${service.url}/trpc/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: '{}',
  });
  return response.status;
}

describe('a service', () => {
  it('accepts a token that identity signed for it, and an access token that identity knows', async () => {
    expect(await status(await tokenFor(anna))).toBe(200);
    expect(await status(annasToken)).toBe(200);
  });

  it('refuses every other token', async () => {
    const stranger = await keyPair('k1');
    const unsigned = `${btoa('{"alg":"none","typ":"at+jwt"}')}.${btoa(JSON.stringify({ actor: anna, aud: 'notes' }))}.`;
    const symmetric = new SignJWT({ actor: anna })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1', typ: 'at+jwt' })
      .setAudience('notes')
      .setIssuer('crm/identity')
      .setIssuedAt()
      .setExpirationTime('30s')
      .sign(new TextEncoder().encode(JSON.stringify(keys.jwk).padEnd(64)));
    for (const token of [
      undefined,
      'rubbish',
      newAccessToken(),
      await tokenFor(anna, 'contacts'),
      await tokenFor(anna, 'notes', new Date(Date.now() - 60_000)),
      await tokenFor(anna, 'notes', new Date(), stranger),
      unsigned,
      await symmetric,
    ]) {
      expect(await status(token)).toBe(401);
    }
  });

  it.each(['notes.find', 'notes.find,notes.get?batch=1', 'notes.nothing'])(
    'authenticates before it reads the body: %s',
    async (called) => {
      const unfinished = await new Promise<string>((answered, failed) => {
        const { hostname, port } = new URL(service.url);
        const socket = connect(Number(port), hostname);
        socket.setEncoding('utf8').on('data', answered).on('error', failed);
        // None of the announced megabyte is ever sent.
        socket.write(
          `POST /trpc/${called} HTTP/1.1\r\nhost: notes\r\ncontent-type: application/json\r\ncontent-length: 1048576\r\n\r\n`,
        );
        onTestFinished(() => void socket.destroy());
      });
      expect(unfinished).toMatch(/^HTTP\/1\.1 401 /);
      expect(unfinished).toContain('No access token');
    },
  );

  it('looks up a new key of identity at the first token that refers to it', async () => {
    keys = await keyPair('k2');
    expect(await status(await tokenFor(anna))).toBe(200);
    const before = lookups;
    const forged = Array.from({ length: 20 }, (_, i) =>
      tokenFor(anna, 'notes', new Date(), { ...keys, kid: `forged-${i}` }),
    );
    const statuses = await Promise.all(forged.map(async (token) => status(await token)));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(lookups - before).toBeLessThan(3);
  });

  it('accepts the token of a user with thousands of teammates', async () => {
    const teammates = Array.from({ length: 10_000 }, (_, index) => 1_000_000 + index);
    const member = { ...anna, teammate_ids: teammates, sharing_teammate_ids: teammates };
    expect(await status(await tokenFor(member))).toBe(200);
  });

  it('returns the same to a client and to another process', async () => {
    const client = createClient(notesApi, { url: service.url, token: annasToken });
    const note = await client.notes.create({ text: 'a' }, { idempotencyKey: 'one' });
    expect(await client.notes.create({ text: 'a' }, { idempotencyKey: 'one' })).toEqual(note);
    const remote = remoteService(service.url);
    const { text } = await remote.call({
      procedure: 'notes.get',
      input: { id: note.id },
      credential: { token: annasToken },
      requestId: 'r-1',
    });
    expect(JSON.parse(text)).toEqual(note);
    await remote.close();
    await expect(client.notes.get({ id: 99_999 })).rejects.toMatchObject({
      name: 'NotFound',
      message: "No record found for id '99999'",
    });
    await expect(client.notes.create({ text: 'eleven chars' })).rejects.toMatchObject({
      errors: { text: expect.any(String) },
    });
  });

  it('reveals nothing about a fault', async () => {
    for (const path of ['/trpc/notes.fault', '/trpc/notes.fault?batch=1']) {
      const response = await fetch(service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${annasToken}` },
        body: '{}',
      });
      expect(response.status).toBe(500);
      expect(await response.text()).not.toMatch(/canary|secrets|\.ts:/);
    }
  });

  it('records the request id in the events of the request', async () => {
    const remote = remoteService(service.url);
    const note = await remote.call({
      procedure: 'notes.create',
      input: { text: 'traced' },
      credential: { token: annasToken },
      requestId: 'trace-42',
    });
    await remote.close();
    const { id } = JSON.parse(note.text) as { id: number };
    const [event] = await service.database.query(
      "select payload from outbox where payload->>'subject' = $1",
      [`note/${id}`],
    );
    expect(event?.payload).toMatchObject({ requestid: 'trace-42', actor: `user/${anna.id}` });
  });

  it('finishes requests in progress before it stops, also one that has yet to query the database', async () => {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onTestFinished(() => {
      delete reading.before;
      released.resolve();
    });
    const [busy, idle] = [await start(), await start()];
    reading.before = () => {
      reached.resolve();
      return released.promise;
    };
    const notes = createClient(notesApi, { url: busy.url, token: annasToken }).notes.find({});
    await reached.promise;
    const closing = busy.close();
    // Without waiting, the busy one would have stopped by the time the idle one has.
    await idle.close();
    released.resolve();
    await expect(notes).resolves.toMatchObject({ total: expect.any(Number) });
    await closing;
    expect(busy.database.pool.ended).toBe(true);
    await expect(fetch(`${busy.url}/healthz`)).rejects.toThrow();
  });

  it('can be started twice concurrently on an empty schema', async () => {
    const empty = await freshDatabase([notesService.store]);
    const admin = new pg.Client({ connectionString: empty.adminUrl });
    await admin.connect();
    await admin.query('drop schema notes cascade; create schema notes authorization crm_notes');
    await admin.end();
    const both = await Promise.all([1, 2].map(() => startNotes(empty.urls.notes, { identity })));
    expect(await both[0]?.database.query('select name from migrations', [])).toEqual([
      { name: '0001-notes' },
    ]);
    await Promise.all(both.map((service) => service.close()));
    await empty.drop();
  });

  it('accepts the system only as a caller that the operation names', async () => {
    const as = (caller: string) => tokenFor({ ...system, caller });
    expect(await status(await as('operator'), 'notes.purge')).toBe(200);
    for (const caller of ['scheduling', 'notes', 'constructor'])
      expect(await status(await as(caller), 'notes.purge'), caller).toBe(403);
    expect(await status(await tokenFor(system), 'notes.purge')).toBe(403);
    expect(await status(await tokenFor(anna), 'notes.purge')).toBe(403);
  });
});

it('stops its workers before its server, which they may need for what they have taken', async () => {
  const statuses: number[] = [];
  const running = await start({
    ...notesService,
    workers: [
      async () => ({
        stop: async () => void statuses.push((await fetch(`${running.url}/healthz`)).status),
      }),
    ],
  });
  await running.close();
  expect(statuses).toEqual([200]);
});
