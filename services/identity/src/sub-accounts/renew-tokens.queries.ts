import { hashOfToken, subAccountToken } from '@crm/auth';
import { type Query, queryRows } from '@crm/data';
import type { Context } from '@crm/service';
import { z } from 'zod';
import { demandAccepted } from '../actors/demand-accepted.ts';
import { newGeneration } from '../tokens/generation.ts';
import { tokenLifeSeconds } from '../tokens/token.api.ts';
import { isValidToken } from '../valid-token.queries.ts';

const Current = z.object({ id: z.int(), generation: z.int(), valid: z.array(z.string()) });
type Current = Readonly<z.output<typeof Current>>;

const life = `interval '${tokenLifeSeconds} seconds'`;

/** The sub-accounts among these whose users allow the broker to act. */
const active = `(
  select d.sub_account_id from delegations d where d.state = 'active' and d.sub_account_id = any($1::int[]))`;

/**
 * Renews the tokens of sub-accounts that their broker reads. One that is still valid lives longer, at most one write a
 * day; one that has expired, was revoked or was derived from another key is replaced, because it must not work again.
 * Returns the current generations, which another reader may have replaced since the rows of this one were read. Throws
 * NotAuthenticated.
 */
export async function renewTokensOf(
  ctx: Context,
  ids: readonly number[],
  key: string,
): Promise<ReadonlyMap<number, { readonly access_token: number }>> {
  const { query } = ctx;
  if (ids.length === 0) return new Map();
  await query(
    `update access_tokens set expires_at = now() + ${life}
     where sub_account_id in ${active} and ${isValidToken('access_tokens')}
     and expires_at < now() + ${life} - interval '1 day'`,
    [ids],
  );
  const current = await currentOf(query, ids);
  const ended = current.filter((one) => !one.valid.includes(hashIn(one, key)));
  if (ended.length > 0) await demandAccepted(ctx);
  for (const one of ended) await replaceToken(query, one, key);
  // Another reader may have replaced some of them.
  const shown = ended.length > 0 ? await currentOf(query, ids) : current;
  return new Map(shown.map(({ id, generation }) => [id, { access_token: generation }]));
}

const hashIn = ({ id, generation }: Pick<Current, 'id' | 'generation'>, key: string): string =>
  hashOfToken(subAccountToken(key, id, generation));

const currentOf = (query: Query, ids: readonly number[]) =>
  queryRows(
    query,
    Current,
    `select s.id, s.generation, array(
       select t.token_hash from access_tokens t where t.sub_account_id = s.id and ${isValidToken('t')}
     ) as valid
     from sub_accounts s where s.id in ${active}`,
    [ids],
  );

/** Of several at once one replaces it, and the others wait for that. */
async function replaceToken(query: Query, { id, generation }: Current, key: string) {
  const next = newGeneration();
  await query(
    `with next as (
       update sub_accounts set generation = $3 where id = $1 and generation = $2
       returning id, user_id
     ), ended as (
       update access_tokens set revoked_at = now() from next where sub_account_id = next.id and revoked_at is null
     )
     insert into access_tokens (token_hash, user_id, name, scope, sub_account_id, created_at, expires_at)
     select $4, user_id, 'sub-account', 'write', id, now(), now() + ${life} from next`,
    [id, generation, next, hashIn({ id, generation: next }, key)],
  );
}
