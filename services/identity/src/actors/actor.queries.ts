import type { Actor } from '@crm/auth';
import type { Query } from '@crm/data';

/**
 * Who holds the token with this hash, in one statement and so of one moment; nothing for a token that is
 * unknown, revoked or expired, or whose user is disabled. The database's clock decides.
 */
export async function actorByTokenHash(
  query: Query,
  hash: string,
): Promise<{ actor: Actor; tokenId: number } | undefined> {
  const [row] = await query(
    `select t.id as token_id, json_build_object(
       'id', u.id,
       'timezone', u.timezone,
       'scopes', string_to_array(t.scope, ' '),
       'is_broker', u.is_broker,
       'broker', null,
       'sub_account_user_ids', '[]'::json,
       'teammate_ids', '[]'::json,
       'sharing_teammate_ids', '[]'::json
     )::text as actor
     from access_tokens t join users u on u.id = t.user_id
     where t.token_hash = $1 and t.revoked_at is null and t.expires_at > now() and u.disabled_at is null`,
    [hash],
  );
  return row && { actor: JSON.parse(String(row.actor)) as Actor, tokenId: Number(row.token_id) };
}

/** Notes when tokens were last used, many at once: a write per request would cost more than the request. */
export async function noteUses(query: Query, uses: ReadonlyMap<number, Date>): Promise<void> {
  await query(
    `update access_tokens t set last_used_at = greatest(t.last_used_at, u.at)
     from unnest($1::int[], $2::timestamptz[]) as u (id, at) where t.id = u.id`,
    [[...uses.keys()], [...uses.values()]],
  );
}
