import { hashOfToken, subAccountToken } from '@crm/auth';
import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';
import { tokenLifeSeconds } from '../tokens/token.api.ts';
import { isValidToken } from '../valid-token.queries.ts';
import { newGeneration } from './sub-account-token.ts';

const Current = z.object({ id: z.int(), generation: z.int(), expired: z.boolean() });

const life = `interval '${tokenLifeSeconds} seconds'`;

/** The sub-accounts among these whose users allow the broker to act. */
const active = `sub_account_id in (
  select d.sub_account_id from delegations d where d.state = 'active' and d.sub_account_id = any($1::int[]))`;

/**
 * Renews the tokens of sub-accounts that their broker reads. One that is still valid lives longer, at most one write a
 * day; one that has expired is replaced, because a token that nobody was shown for so long must not work again. Returns
 * the current generations, which another reader may have replaced since the rows of this one were read.
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
  const current = await currentOf(query, ids);
  const expired = current.filter(({ expired }) => expired);
  for (const one of expired) await replaceToken(query, one, key);
  // Another reader may have replaced some of them.
  const shown = expired.length > 0 ? await currentOf(query, ids) : current;
  for (const { id, generation } of shown) generations.set(id, { access_token: generation });
  return generations;
}

const currentOf = (query: Query, ids: readonly number[]) =>
  queryRows(
    query,
    Current,
    `select s.id, s.generation, max(t.expires_at) <= now() as expired
     from access_tokens t join sub_accounts s on s.id = t.sub_account_id
     where t.${active} and t.revoked_at is null
     group by s.id`,
    [ids],
  );

/** Of several at once one replaces it, and the others wait for that. */
async function replaceToken(
  query: Query,
  { id, generation }: { readonly id: number; readonly generation: number },
  key: string,
) {
  const next = newGeneration();
  await query(
    `with next as (
       update sub_accounts set generation = $3 where id = $1 and generation = $2
       returning id, user_id
     )
     insert into access_tokens (token_hash, user_id, name, scope, sub_account_id, created_at, expires_at)
     select $4, user_id, 'sub-account', 'write', id, now(), now() + ${life} from next`,
    [id, generation, next, hashOfToken(subAccountToken(key, id, next))],
  );
}
