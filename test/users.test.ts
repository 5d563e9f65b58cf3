import { routes } from '@crm/gateway';
import { absent } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import type { Api, Json } from './system/api.ts';
import { join, made } from './system/made.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

const fields = [
  'id',
  'first_name',
  'last_name',
  'email',
  'username',
  'phone',
  'system_phone',
  'timezone_offset',
  'timezone',
  'profile_picture',
  'created_at',
  'modified_at',
];

describe.each(shapesFor(import.meta))('%s: users', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const { users } = system.operator;

  async function teamOf(creator: Person, ...members: readonly Person[]): Promise<number> {
    const draft = { name: 'North', is_contact_resource_sharing_enabled: true };
    const { id } = await made(creator, '/teams', draft);
    await join(system, id, ...members);
    return id;
  }
  const idsSeenBy = async ({ api }: { readonly api: Api }, query = '') =>
    (await api.list(`/users?${query}`)).data.map(({ id }) => id);
  const takenIn = async (broker: Person, { id: user_id, allows }: Person, switches: Json = {}) => {
    await allows(broker);
    const { status, body } = await broker.api.post('/sub-accounts', { user_id, ...switches });
    expect(status).toBe(201);
    return system.as(String(body.access_token));
  };

  it('can be read but not written', async () => {
    const anna = await system.person();
    const offered = routes.filter(({ path }) => /^\/users\b/.test(path));
    expect(offered.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /users', 'GET /users/:id']);
    const before = await system.contents();
    for (const path of ['/users', `/users/${anna.id}`]) {
      for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
        const answer = await anna.api.send(
          method,
          path,
          method === 'DELETE' ? undefined : { first_name: 'X' },
        );
        expect(answer).toMatchObject({ status: 405, body: { name: 'MethodNotAllowed' } });
        expect(answer.headers.allow).toMatch(/\bGET\b/);
      }
    }
    expect(await system.contents()).toEqual(before);
  });

  it('show the owner of the token like the token check, with no other fields', async () => {
    const anna = await system.person({ timezone: 'America/St_Johns' });
    const page = await anna.api.list('/users');
    expect(page).toMatchObject({ total: 1, limit: 10, skip: 0 });
    const [own = {}] = page.data;
    expect(Object.keys(own)).toEqual(fields);
    const { body: me } = await anna.api.get('/me');
    const ownAlone = ['pending_phone', 'pending_phone_problem', 'has_text_alerts', 'has_call_alerts'];
    const shared = Object.fromEntries(Object.entries(me).filter(([name]) => !ownAlone.includes(name)));
    expect(own).toMatchObject(shared);
    expect(me.timezone_offset).toEqual(expect.any(Number));
    expect((await anna.api.get(`/users/${anna.id}`)).body).toEqual(own);
  });

  it('change their own profile, and nobody else does', async () => {
    const [anna, bert] = [await system.person(), await system.person()];
    await teamOf(anna, bert);
    const reader = await system.token(anna, 'read');
    const before = (await anna.api.get('/me')).body;
    const draft = { first_name: 'Anna', phone: '(415) 555-2671', timezone: 'America/Denver' };
    expect(await reader.api.patch('/me', draft)).toMatchObject({ status: 403, body: { name: 'Forbidden' } });
    expect((await reader.api.get('/me')).body).toEqual(before);
    const { status, body } = await anna.api.patch('/me', { ...draft, id: bert.id, email: 'b@example.com' });
    const stored = { ...draft, phone: '+14155552671', id: anna.id, email: anna.email };
    expect({ status, body }).toMatchObject({ status: 200, body: stored });
    expect((await anna.api.get('/me')).body).toEqual(body);
    expect((await bert.api.get(`/users/${anna.id}`)).body).toMatchObject(stored);
    for (const [field, value] of Object.entries({ phone: '12', timezone: 'Mars/Olympus' })) {
      const answer = await anna.api.patch('/me', { last_name: 'Changed', [field]: value });
      expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) } } });
    }
    expect((await anna.api.get('/me')).body).toEqual(body);
  });

  it('start with the owner of the token', async () => {
    const [anna, bert, cleo] = [await system.person(), await system.person(), await system.person()];
    await teamOf(anna, bert, cleo);
    for (const person of [anna, bert, cleo]) {
      const others = [anna.id, bert.id, cleo.id].filter((id) => id !== person.id);
      expect(await idsSeenBy(person)).toEqual([person.id, ...others]);
      expect(await idsSeenBy(person, '$limit=1')).toEqual([person.id]);
      expect(await idsSeenBy(person, '$skip=1')).toEqual(others);
      expect(await idsSeenBy(person, '$sort[id]=1')).toEqual([anna.id, bert.id, cleo.id]);
      expect(await idsSeenBy(person, '$sort[id]=-1')).toEqual([cleo.id, bert.id, anna.id]);
      expect(await idsSeenBy(person, `email=${bert.email.toUpperCase()}`)).toEqual([bert.id]);
      expect(await idsSeenBy(person, `id[$ne]=${person.id}`)).toEqual(others);
    }
  });

  it('who do not work with the caller get the same response as users who do not exist', async () => {
    const [anna, stranger] = [await system.person(), await system.person()];
    expect(await idsSeenBy(anna, `id=${stranger.id}`)).toEqual([]);
    expect(await idsSeenBy(anna, `email=${stranger.email}`)).toEqual([]);
    for (const id of [stranger.id, absent]) {
      expect(await anna.api.get(`/users/${id}`)).toMatchObject({
        status: 404,
        body: { name: 'NotFound', message: `No record found for id '${id}'` },
      });
    }
  });

  it('cannot be filtered or sorted by an offset that depends on the date', async () => {
    const { api } = await system.person();
    for (const query of ['timezone_offset=1', 'timezone_offset[$gt]=1', '$sort[timezone_offset]=1']) {
      const { status, body } = await api.get(`/users?${query}`);
      expect({ status, names: Object.keys(body.errors as Json).join() }, query).toEqual({
        status: 400,
        names: expect.stringContaining('timezone_offset'),
      });
    }
  });

  it('who are disabled lose all access and are invisible at once', async () => {
    const [anna, bert] = [await system.person(), await system.person()];
    await teamOf(anna, bert);
    const second = await system.token(bert, 'read');
    await users.disable({ user: bert.id });
    for (const api of [bert.api, second.api]) {
      for (const path of ['/me', '/users', '/contacts', '/hotnesses']) {
        expect(await api.get(path)).toMatchObject({ status: 401, body: { message: 'Invalid access token' } });
      }
    }
    expect(await idsSeenBy(anna)).toEqual([anna.id]);
    expect((await anna.api.get(`/users/${bert.id}`)).status).toBe(404);
    await users.enable({ user: bert.id });
    expect((await bert.api.get('/me')).status).toBe(401);
    expect(await idsSeenBy(anna)).toEqual([anna.id, bert.id]);
  });

  it('no longer see each other and their contacts once the creator of their team is disabled', async () => {
    const [anna, bert, cleo] = [await system.person(), await system.person(), await system.person()];
    await teamOf(anna, bert, cleo);
    const { id } = (await cleo.api.post('/contacts', { first_name: 'Shared' })).body;
    expect((await bert.api.get(`/contacts/${id}`)).status).toBe(200);
    await users.disable({ user: anna.id });
    expect((await bert.api.get(`/contacts/${id}`)).status).toBe(404);
    expect(await idsSeenBy(bert)).toEqual([bert.id]);
    expect((await bert.api.list('/team-members')).data).toMatchObject([{ user: { id: bert.id } }]);
    expect((await bert.api.list('/teams')).total).toBe(0);
  });

  it('who are no longer brokers are invisible to their sub-accounts, whose tokens are revoked', async () => {
    const [kim, lee] = [await system.person({ is_broker: true }), await system.person()];
    const token = await takenIn(kim, lee, { user_can_see_broker_hotnesses: true });
    const { id } = (await kim.api.post('/hotnesses', { name: 'Hot' })).body;
    expect((await token.get(`/hotnesses/${id}`)).status).toBe(200);
    expect(await idsSeenBy(lee)).toEqual([lee.id, kim.id]);
    await users.change({ user: kim.id, is_broker: false });
    expect((await token.get(`/hotnesses/${id}`)).status).toBe(401);
    expect((await lee.api.get(`/hotnesses/${id}`)).status).toBe(404);
    expect(await idsSeenBy(lee)).toEqual([lee.id]);
    expect(await idsSeenBy(kim)).toEqual([kim.id]);
    expect((await kim.api.get('/sub-accounts')).status).toBe(403);
    expect((await kim.api.get('/me')).status).toBe(200);
  });

  it('with a new password lose all their tokens', async () => {
    const anna = await system.person();
    const second = await system.token(anna, 'write');
    await users.changePassword({ user: anna.id, password: 'another password' });
    for (const api of [anna.api, second.api]) expect((await api.get('/contacts')).status).toBe(401);
    expect((await (await system.token(anna, 'read')).api.get('/me')).body).toMatchObject({ id: anna.id });
  });
});
