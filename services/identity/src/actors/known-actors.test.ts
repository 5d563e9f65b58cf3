import { randomUUID } from 'node:crypto';
import { hashOfToken } from '@crm/auth';
import type { Query } from '@crm/data';
import { testSecrets } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';
import { peopleIn } from '../../test/people.ts';
import { actorByTokenHash, actorByUserId, areRightsAsIn, byTokenHash } from './actor.queries.ts';
import { knownActors, knownUsers } from './known-actors.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, join, add, renewed, tokenOf } = peopleIn(identity);
const { someUser, someApp, codeFor, exchange } = oauthIn(identity);
const { rows } = identity;
const { subAccountKey } = testSecrets;
const { query } = identity.database;

/**
 * The tokens of an agent in a team, one of an application and one of her own, and the token of a broker who acts as
 * another agent.
 */
async function holders(): Promise<string[]> {
  const [anna, kim, lee] = [await someUser(), await someone({ is_broker: true }), await someone()];
  await renewed(anna.id);
  const app = await someApp();
  const { body } = await exchange(app, await codeFor(anna, app));
  const { id: team } = await identity
    .as(kim)
    .teams.create({ name: 'Coast', is_contact_resource_sharing_enabled: true });
  for (const { id } of [anna, lee]) await join(team, id);
  const { access_token } = await add(kim, lee);
  return [String(body.access_token), access_token, tokenOf(kim.id), tokenOf(lee.id)].map(hashOfToken);
}

/** The tables that the statement for the holder of a token reads, according to PostgreSQL. */
async function tablesRead(): Promise<string[]> {
  const [plan] = await rows(`explain (format json) ${byTokenHash.replaceAll('$1', "''")}`);
  const names = [...JSON.stringify(plan).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => name !== 'rights').sort();
}

/** Other values for a column; PostgreSQL refuses invalid ones. */
const otherValues = (name: string, type: string): readonly string[] => {
  if (type === 'boolean') return [`not coalesce(${name}, false)`];
  if (type.startsWith('timestamp')) return [`coalesce(${name}, now()) - interval '400 days'`];
  if (type === 'uuid') return ['gen_random_uuid()'];
  if (type === 'integer') return [`coalesce(${name}, 0) + 1`, 'null'];
  return ["'Asia/Tokyo'", "'ended'", "'Declined'", "'read'", 'md5(random()::text) || md5(random()::text)'];
};

describe('a cached holder of a token, or user', () => {
  it('is as current as the statement, whatever changes in the tables that the statement reads', async () => {
    const hashes = await holders();
    const known = knownActors(subAccountKey);
    const users = knownUsers();
    const ids = (await rows('select id from users order by id')).map(({ id }) => Number(id));
    const expectCurrent = async (change: string) => {
      for (const hash of hashes)
        expect(await known(query, hash), change).toEqual(await actorByTokenHash(query, hash, subAccountKey));
      const read = await Promise.all(ids.map((id) => actorByUserId(query, id)));
      expect(await users(query, ids), change).toEqual(read.flatMap((one) => (one ? [one.actor] : [])));
    };
    await expectCurrent('at first');
    const tables = await tablesRead();
    expect(tables).toContain('delegations');
    const changed = new Set<string>();
    for (const table of tables) {
      await rows(`create table before_${table} as table ${table}`);
      const columns = await rows(
        `select column_name as name, data_type as type from information_schema.columns
         where table_schema = 'identity' and table_name = $1 and column_name <> 'id'`,
        [table],
      );
      for (const { name, type } of columns) {
        for (const value of otherValues(String(name), String(type))) {
          const change = `update ${table} set ${name} = ${value}`;
          const isDone = await rows(change).then(
            () => true,
            () => false,
          );
          if (!isDone) continue;
          changed.add(table);
          await expectCurrent(change);
          await rows(`update ${table} t set ${name} = b.${name} from before_${table} b where b.id = t.id`);
          await expectCurrent(`${change}, undone`);
        }
      }
    }
    expect([...changed]).toEqual(tables);
    for (const table of ['team_members', 'sub_accounts', 'access_tokens']) {
      await rows(`delete from ${table}`);
      await expectCurrent(`delete from ${table}`);
    }
  });

  it('without a token has the read scope only', async () => {
    const { id } = await someone();
    expect(await knownUsers()(query, [id])).toMatchObject([
      { id, scopes: ['read'], act: null, access: null },
    ]);
  });

  it('expires with the token, by the clock of the database', async () => {
    const { id } = await someone();
    const holder = await actorByTokenHash(query, hashOfToken(tokenOf(id)), subAccountKey);
    if (!holder) throw new Error('The token has no holder.');
    const [row] = await rows("select (now() - interval '1 ms')::text as past");
    const others = [
      { ...holder, expiresAt: String(row?.past) },
      { ...holder, version: randomUUID() },
    ];
    expect(await areRightsAsIn(query, [holder, ...others, holder])).toEqual([true, false, false, true]);
  });

  /** The hashes of two tokens whose holders are cached. */
  async function twoKnown() {
    const [{ id: one }, { id: other }] = [await someone(), await someone()];
    const hashes = [hashOfToken(tokenOf(one)), hashOfToken(tokenOf(other))] as const;
    const known = knownActors(subAccountKey);
    for (const hash of hashes) await known(query, hash);
    return [known, ...hashes] as const;
  }

  it('is checked after it was requested, even while the check of another is in progress', async () => {
    const [known, held, gone] = await twoKnown();
    const { promise, resolve } = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    const slow: Query = async (text, values) => {
      const found = await query(text, values);
      looked.resolve();
      await promise;
      return found;
    };
    const first = known(slow, held);
    await looked.promise;
    await rows('delete from access_tokens where token_hash = $1', [gone]);
    const second = known(query, gone);
    resolve();
    expect(await first).toBeDefined();
    expect(await second).toBeUndefined();
  });

  it('is found even if the request whose check it shares has no time left', async () => {
    const [known, early, late] = await twoKnown();
    const outOfTime: Query = async () => {
      throw new Error('There is no time left.');
    };
    const [one, other] = await Promise.allSettled([known(outOfTime, early), known(query, late)]);
    expect(one.status).toBe('rejected');
    expect(other).toMatchObject({ status: 'fulfilled', value: { tokenId: expect.any(Number) } });
  });
});
