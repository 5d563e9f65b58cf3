import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { contracts } from '@crm/gateway';
import {
  type Crm,
  CrmError,
  createCrm,
  type Inputs,
  isCrmError,
  OAuthError,
  type Outputs,
  oauth,
  session,
  type Tokens,
} from '@crm/sdk';
import { build } from 'rolldown';
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest';
import { approvingUser, redirectUri } from './oauth/approving-user.ts';
import { operations } from './system/definitions.ts';
import { startSystem } from './system.ts';

const system = await startSystem('together');
afterAll(system.stop);
const { url } = system;
const person = await system.person();
const crm = createCrm({ url, auth: person.token });

/** A network that does something else with some requests. */
type Send = (...given: Parameters<typeof fetch>) => Promise<Response>;
const crmOver = (send: Send, auth: string = person.token) => createCrm({ url, auth, fetch: send });
const lost = () => Promise.reject(new TypeError('fetch failed'));
const refusedWith = (status: number, headers = {}) =>
  Promise.resolve(new Response('{}', { status, headers }));

it('has the operations of the contracts, and no others', () => {
  const declared = operations
    .filter(({ operation: { rest, web, download, upload } }) => rest && !web && !download && !upload)
    .map(({ procedure }) => procedure.replace(/\.find$/, '.list'));
  const offered = Object.entries(crm).flatMap(([resource, calls]) =>
    Object.keys(calls)
      .filter((name) => name !== 'all' && name !== 'changes')
      .map((name) => `${resource}.${name}`),
  );
  expect(offered.sort()).toEqual(declared.sort());
});

it('has the types of the contracts', async () => {
  expectTypeOf<Outputs['contacts']['get']['first_name']>().toEqualTypeOf<string | null>();
  expectTypeOf<Inputs['addresses']['get']>().toExtend<{ contact_id: number | string; id: number | string }>();
  expectTypeOf<Crm['contacts']['list']>().returns.resolves.toHaveProperty('total');
  expectTypeOf<Crm['leads']>().not.toHaveProperty('remove');
  expectTypeOf<Parameters<Crm['contacts']['list']>[0]>().toExtend<object | undefined>();
  // @ts-expect-error An id is required.
  await expect(crm.contacts.get()).rejects.toThrow('"id" is missing');
});

describe('a call', () => {
  it('with an empty list is not sent, as if it were about everything', async () => {
    const none = { hotness_id: { $in: [] } };
    await expect(crm.contacts.list(none)).rejects.toThrow('"hotness_id[$in]" is an empty list');
    await expect(crm.contacts.remove({ id: 1, $where: none })).rejects.toThrow('is an empty list');
  });

  it('that reads may say that it is no dry run', async () => {
    expect(await crm.hotnesses.list({}, { dryRun: false })).toMatchObject({ total: 0 });
  });

  it('creates, reads, changes, lists and removes, also below another record', async () => {
    const grace = await crm.contacts.create({ first_name: 'Grace', email: 'grace@example.com' });
    const address = await crm.addresses.create({ contact_id: grace.id, city: 'Arlington' });
    expect(await crm.addresses.get({ contact_id: grace.id, id: address.id })).toEqual(address);
    let etag = '';
    const seen = (response: Pick<Response, 'headers'>) => {
      etag = response.headers.get('etag') ?? '';
    };
    await crm.contacts.get({ id: grace.id }, { onResponse: seen });
    await crm.contacts.patch({ id: grace.id, last_name: 'Hopper' }, { ifMatch: etag });
    const late = crm.contacts.patch({ id: grace.id, last_name: 'H.' }, { ifMatch: etag });
    await expect(late).rejects.toMatchObject({ name: 'PreconditionFailed', status: 412 });
    await crm.contacts.remove({ id: grace.id }, { dryRun: true });
    const found = await crm.contacts.list({ email: ['grace@example.com', 'x@example.com'], id: { $gte: 1 } });
    expect(found).toMatchObject({ total: 1, data: [{ first_name: 'Grace', last_name: 'Hopper' }] });
    await crm.contacts.remove({ id: grace.id });
  });

  it('throws errors that say what is wrong', async () => {
    const missing: unknown = await crm.contacts.get({ id: 999_999 }).catch((error: unknown) => error);
    if (!isCrmError(missing, 'NotFound')) throw missing;
    expect(missing).toMatchObject({ status: 404, message: "No record found for id '999999'" });
    expect(missing.requestId).toMatch(/^[\w-]{36}$/);
    const invalid = crm.contacts.create({ hotness_id: 2_147_483_647 });
    await expect(invalid).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { hotness_id: expect.any(String) },
    });
    // @ts-expect-error No such field.
    const unknown = crm.contacts.create({ surname: 'Hopper' }, { strict: true });
    await expect(unknown).rejects.toBeInstanceOf(CrmError);
    await expect(crmOver(fetch, 'wrong').me.get()).rejects.toMatchObject({ name: 'NotAuthenticated' });
  });

  it('is carried out once, although its responses are lost', async () => {
    let sent = 0;
    const unreliable = crmOver(async (...request) => {
      sent += 1;
      if (sent === 1) return lost();
      const response = await fetch(...request);
      return sent === 2 ? lost() : response;
    });
    const hotness = await unreliable.hotnesses.create({ name: 'once' });
    expect([sent, (await crm.hotnesses.list({ name: 'once' })).data]).toEqual([3, [hotness]]);
    sent = 0;
    expect(await unreliable.me.get()).toMatchObject({ id: person.id });
  });

  it('gives up after some attempts, at once if it makes no sense, or when its caller does', async () => {
    const outcomes: [Send, number, object][] = [
      [lost, 2, { name: 'UnreachableError', idempotencyKey: 'mine' }],
      [() => refusedWith(503), 2, { status: 503 }],
      [() => refusedWith(503, { 'retry-after': '3600' }), 1, { retryAfter: 3_600 }],
      [() => refusedWith(500), 1, { name: 'GeneralError' }],
    ];
    for (const [answer, attempts, error] of outcomes) {
      const keys: unknown[] = [];
      const send: Send = (_, init) => {
        keys.push(new Headers(init?.headers).get('idempotency-key'));
        return answer('');
      };
      const impatient = createCrm({ url, auth: 'any', fetch: send, maxRetries: 1 });
      const failing = impatient.tags.create({ content: 'never' }, { idempotencyKey: 'mine' });
      await expect(failing).rejects.toMatchObject(error);
      expect(keys).toEqual(Array.from({ length: attempts }, () => 'mine'));
    }
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(crm.me.get({}, { signal })).rejects.toThrow('enough');
  });
});

describe('all records of a list', () => {
  it('come once each, although others are added and removed meanwhile', async () => {
    const ids: number[] = [];
    for (let rank = 1; rank <= 5; rank++)
      ids.push((await crm.hotnesses.create({ name: `${rank}`, rank })).id);
    const seen: number[] = [];
    for await (const { id } of crm.hotnesses.all({ $limit: 2, name: ['1', '2', '3', '4', '5', 'new'] })) {
      seen.push(id);
      // With pages by number, the third one would be left out, and the second one would come again.
      if (seen.length === 2) await crm.hotnesses.remove({ id: ids[0] ?? 0 });
      if (seen.length === 4) ids.push((await crm.hotnesses.create({ name: 'new', rank: 0 })).id);
    }
    expect(seen).toEqual(ids);
    const sorted = await Array.fromAsync(
      crm.hotnesses.all({ $sort: { rank: -1 }, $limit: 2, rank: { $gt: 1 } }),
    );
    expect(sorted.map(({ rank }) => rank)).toEqual([5, 4, 3, 2]);
  });

  it('come once each in any order, from any record on, and with few fields', async () => {
    const given = { $limit: 2, name: ['a', 'b', 'c', 'd'] };
    for (const name of given.name) await crm.hotnesses.create({ name, rank: 77 });
    const names: unknown[] = [];
    for await (const one of crm.hotnesses.all({
      ...given,
      $sort: { rank: 1, name: -1 },
      $select: ['name'],
    })) {
      names.push(one.name);
      // With pages by number, another one would come again.
      if (names.length === 2) await crm.hotnesses.create({ name: 'd', rank: 1 });
    }
    expect(names).toEqual(['d', 'c', 'b', 'a']);
    const rest = await Array.fromAsync(crm.hotnesses.all({ ...given, $sort: { name: 1 }, $skip: 1 }));
    expect(rest.map(({ name }) => name)).toEqual(['b', 'c', 'd', 'd']);
  });

  it('can be read for every resource that has a list of its own', async () => {
    const resources = Object.values(contracts).flatMap((contract) => Object.entries(contract));
    const names = resources.flatMap(([name, { find }]) =>
      name in crm && find?.rest && !find.rest.includes('/:') ? [name] : [],
    );
    expect(names.length).toBeGreaterThan(15);
    const broker = createCrm({ url, auth: (await system.person({ is_broker: true })).token });
    for (const name of names) {
      const { all, list } = broker[name as 'contacts'];
      const [seen, { total }] = [await Array.fromAsync(all({ $limit: 3 })), await list({ $limit: 0 })];
      expect([name, new Set(seen.map(({ id }) => id)).size]).toEqual([name, total]);
    }
  });
});

describe('OAuth', () => {
  async function signedIn() {
    const owner = await system.person();
    const made = { name: 'Planner', owner: owner.id, redirect_uris: [redirectUri], is_public: true };
    const { client_id } = await system.operator.applications.create(made);
    let refreshes = 0;
    const send: Send = (address, init) => {
      if (String(init?.body).includes('grant_type=refresh_token')) refreshes += 1;
      return fetch(address, init);
    };
    const client = oauth({ url, clientId: client_id, redirectUri, fetch: send });
    const user = await approvingUser(system);
    const { url: address, ...kept } = await client.authorize({ scope: 'read write' });
    const back = await user.allow(address);
    const stored = { tokens: await client.exchange(back, kept) };
    const store = {
      load: () => stored.tokens,
      save: (tokens: Tokens) => {
        stored.tokens = tokens;
      },
    };
    return { client, user, back, kept, stored, store, refreshes: () => refreshes };
  }

  it('signs in with PKCE, and refuses what somebody else has brought about', async () => {
    const { client, user, back, kept, store } = await signedIn();
    const mine = createCrm({ url, auth: session(client, store) });
    expect(await mine.me.get()).toMatchObject({ email: user.email });
    const strange = client.exchange(back, { ...kept, state: 'another' });
    await expect(strange).rejects.toMatchObject({ error: 'invalid_state' });
    const denied = client.exchange(`${redirectUri}?error=access_denied&state=${kept.state}`, kept);
    await expect(denied).rejects.toMatchObject({ name: 'OAuthError', error: 'access_denied' });
    await client.revoke(store.load().refreshToken);
    await expect(mine.me.get()).rejects.toBeInstanceOf(OAuthError);
  });

  it('refreshes a token once, however many requests are refused', async () => {
    const { client, stored, store, refreshes } = await signedIn();
    const mine = createCrm({ url, auth: session(client, store) });
    const ask = () => Promise.all(Array.from({ length: 10 }, () => mine.me.get()));
    await client.revoke(stored.tokens.accessToken);
    const first = stored.tokens;
    expect(await ask()).toHaveLength(10);
    expect([refreshes(), stored.tokens === first]).toEqual([1, false]);
    expect(await ask()).toHaveLength(10);
    expect(refreshes()).toBe(1);
  });

  it('survives another process that refreshes at the same time, with or without a common lock', async () => {
    const { client, stored, store, refreshes } = await signedIn();
    const unlocked = <Result>(work: () => Promise<Result>) => work();
    for (const locks of [[], [unlocked]] as const) {
      await client.revoke(stored.tokens.accessToken);
      const before = refreshes();
      const two = [0, 1].map(() => createCrm({ url, auth: session(client, store, ...locks) }));
      const both = await Promise.all(two.map((one) => one.me.get()));
      expect(both).toHaveLength(2);
      if (locks.length === 0) expect(refreshes() - before).toBe(1);
      expect(await createCrm({ url, auth: session(client, store) }).me.get()).toEqual(both[0]);
    }
  });
});

it('needs nothing but what browsers and workers have', async () => {
  const input = fileURLToPath(import.meta.resolve('@crm/sdk'));
  const { output } = await build({
    input,
    platform: 'browser',
    write: false,
    output: { format: 'iife', name: 'sdk' },
  });
  const [{ code, imports }] = output;
  expect(imports).toEqual([]);
  expect(code.length).toBeLessThan(40_000);
  const worker = {
    fetch,
    crypto,
    AbortSignal,
    AbortController,
    URL,
    URLSearchParams,
    TextEncoder,
    setTimeout,
    clearTimeout,
    btoa,
  };
  const run = `${code}; sdk.createCrm({ url: ${JSON.stringify(url)}, auth: ${JSON.stringify(person.token)} }).me.get()`;
  expect(await runInContext(run, createContext(worker))).toMatchObject({ id: person.id });
});
