import { hashOfToken, subAccountToken } from '@crm/auth';
import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';
import { tokenLifeSeconds } from '../tokens/token.api.ts';
import { isValidToken } from '../valid-token.queries.ts';

const Current = z.object({ id: z.int(), generation: z.int(), expired: z.boolean() });

const life = `interval '${tokenLifeSeconds} seconds'`;

/** Those of the sub-accounts whose users allow the broker to act. */
const active = `sub_account_id in (
  select d.sub_account_id from delegations d where d.state = 'active' and d.sub_account_id = any($1::int[]))`;

/**
 * Renews the tokens of sub-accounts that their broker reads. A valid token is extended, with at most one write a day.
 * An expired one is replaced, because a token that nobody has been shown for so long must not work again. Returns the
 * current generations, because another reader may have replaced a token since the rows were read.
 */
export async function renewTokensOf(
  query: Query,
  ids: readonly number[],
  key: string,
): Promise<ReadonlyMap<number, { readonly access_token: number }>> {
  const generations = new Map<number, { readonly access_token: number }>();
  if (ids.length === 0) return generations;
  await query(
    `update access_tokens set expires_at = now() + ${life}
     where ${active} and ${isValidToken('access_tokens')}
     and expires_at < now() + ${life} - interval '1 day'`,
    [ids],
  );
  const current = await queryRows(
    query,
    Current,
    `select s.id, s.generation, max(t.expires_at) <= now() as expired
     from access_tokens t join sub_accounts s on s.id = t.sub_account_id
     where t.${active} and t.revoked_at is null
     group by s.id`,
    [ids],
  );
  for (const { id, generation, expired } of current) {
    if (expired) await replaceToken(query, { id, generation }, key);
    generations.set(id, { access_token: expired ? generation + 1 : generation });
  }
  return generations;
}

/** Of several concurrent calls, one replaces the token and the others wait for it. */
async function replaceToken(
  query: Query,
  { id, generation }: { readonly id: number; readonly generation: number },
  key: string,
) {
  await query(
    `with next as (
       update sub_accounts set generation = generation + 1 where id = $1 and generation = $2
       returning id, user_id
     )
     insert into access_tokens (token_hash, user_id, name, scope, sub_account_id, created_at, expires_at)
     select $3, user_id, 'sub-account', 'write', id, now(), now() + ${life} from next`,
    [id, generation, hashOfToken(subAccountToken(key, id, generation + 1))],
  );
}
