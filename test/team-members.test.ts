import { afterAll, describe, expect, it } from 'vitest';
import { resources } from './contract/resources.ts';
import type { Json } from './system/api.ts';
import { join, made } from './system/made.ts';
import { shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: team members', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const [anna, bert, cleo] = [await system.person(), await system.person(), await system.person()];
  const teams: number[] = [];
  for (const name of ['North', 'South']) {
    const { id } = await made(anna, '/teams', { name });
    teams.push(id);
    await join(system, id, bert, cleo);
  }
  const [north = 0, south = 0] = teams;
  const found = async (query: string) => {
    const { data } = await anna.api.list(`/team-members?$limit=100&${query}`);
    return data.map(({ team, user }) => [(team as Json).id, (user as Json).id]);
  };
  const of = (team: number) => [anna.id, bert.id, cleo.id].map((user) => [team, user]);

  it('are found by their team and by their user, with dotted names', async () => {
    expect(await found(`team.id=${north}`)).toEqual(of(north));
    expect(await found(`team.id[$ne]=${north}`)).toEqual(of(south));
    expect(await found(`team.id[$in]=${north}&team.id[$in]=${south}`)).toHaveLength(6);
    expect(await found('team.name=South')).toEqual(of(south));
    expect(await found('team.name[$like]=%25OUT%25')).toEqual(of(south));
    expect(await found(`user.id=${bert.id}`)).toEqual([
      [north, bert.id],
      [south, bert.id],
    ]);
    expect(await found(`user.email=${cleo.email}&team.id=${south}`)).toEqual([[south, cleo.id]]);
    expect(await found(`user.email=${cleo.email.toUpperCase()}&team.id=${south}`)).toEqual([
      [south, cleo.id],
    ]);
    await bert.api.patch('/me', { phone: '+16045550137' });
    expect(await found(`user.phone=(604)%20555-0137&team.id=${south}`)).toEqual([[south, bert.id]]);
    expect((await anna.api.list('/users?phone=604.555.0137')).data).toMatchObject([{ id: bert.id }]);
    expect(await found(`user.id[$ne]=${anna.id}&team.id=${north}`)).toEqual([
      [north, bert.id],
      [north, cleo.id],
    ]);
    expect(await found(`user.id[$in]=${anna.id}&user.id[$in]=${cleo.id}&team.id=${south}`)).toEqual([
      [south, anna.id],
      [south, cleo.id],
    ]);
    expect(await found(`user.id[$nin]=${anna.id}&team.name[$ne]=North`)).toEqual([
      [south, bert.id],
      [south, cleo.id],
    ]);
    expect(await found(`user.email[$ne]=${bert.email}&team.id=${north}`)).toEqual([
      [north, anna.id],
      [north, cleo.id],
    ]);
    const either = `$or[0][user.id]=${bert.id}&$or[1][user.id]=${anna.id}&team.id=${north}`;
    expect(await found(either)).toEqual([
      [north, anna.id],
      [north, bert.id],
    ]);
    expect(await found(`user.id[$gt]=${cleo.id}`)).toEqual([]);
  });

  it('are sorted by them', async () => {
    const backwards = [cleo.id, bert.id, anna.id];
    expect(await found(`$sort[user.id]=-1&team.id=${north}`)).toEqual(backwards.map((id) => [north, id]));
    expect(await found('$sort[team.id]=-1&$sort[user.id]=-1')).toEqual(
      [south, north].flatMap((team) => backwards.map((id) => [team, id])),
    );
    expect(await found('$sort[team.name]=-1')).toEqual([...of(north), ...of(south)].toReversed());
  });

  it('are read and changed under dotted conditions as well', async () => {
    const [, member] = (await bert.api.list(`/team-members?team.id=${north}`)).data;
    const path = `/team-members/${member?.id}`;
    const answer = { request_status: 'Accepted' };
    for (const [query, status] of [
      [`team.id=${north}&user.email=${bert.email}`, 200],
      [`team.id=${south}`, 404],
      ['team.nonsense=1', 400],
    ]) {
      expect((await bert.api.get(`${path}?${query}`)).status, `GET ${query}`).toBe(status);
      expect((await bert.api.patch(`${path}?${query}`, answer)).status, `PATCH ${query}`).toBe(status);
    }
  });

  it('are not found by unknown dotted names, and other lists by no dotted name at all', async () => {
    const unknown = [
      'team.nonsense',
      'team',
      'user',
      'user.password_hash',
      'team.creator_user_id',
      'team.user.id',
    ];
    for (const name of unknown) {
      for (const query of [`${name}=1`, `${name}[$ne]=1`, `$sort[${name}]=1`]) {
        expect((await anna.api.get(`/team-members?${query}`)).status, query).toBe(400);
      }
    }
    expect((await anna.api.get('/team-members?team[id]=1')).status).toBe(400);
    expect((await anna.api.get('/team-members?team.id=x')).body.errors).toHaveProperty(['team.id']);
    expect((await anna.api.get('/team-members?team.id[$like]=1')).status).toBe(400);
    const others = resources.filter(({ name, parents }) => name !== 'teamMembers' && parents.length === 0);
    const broker = await system.person({ is_broker: true });
    expect(others.length).toBeGreaterThan(5);
    for (const { find } of others) {
      for (const name of ['team.id', 'user.id', 'team.name']) {
        for (const query of [`${name}=1`, `$sort[${name}]=1`, `$or[0][${name}]=1`]) {
          expect((await broker.api.get(`${find.path}?${query}`)).status, `${find.path}?${query}`).toBe(400);
        }
      }
    }
  });
});
