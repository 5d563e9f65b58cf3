import { type Query, queryRows, storedDate, untilFewer } from '@crm/data';
import { z } from 'zod';
import { keptDays } from '../security-events/security-event.queries.ts';
import { isValidToken } from '../valid-token.queries.ts';

const Listed = z.object({
  id: z.int(),
  name: z.string(),
  scope: z.string(),
  created_at: storedDate,
  expires_at: storedDate,
  last_used_at: storedDate.nullable(),
});

/** A valid token that a user or the operator created, as shown to the user. */
export type ListedToken = Readonly<z.output<typeof Listed>>;

/** All valid tokens of a user that were not issued to an application or a broker, newest first: each can be revoked. */
export function personalTokens(query: Query, userId: number): Promise<ListedToken[]> {
  return queryRows(
    query,
    Listed,
    `select id, name, scope, created_at, expires_at, last_used_at from access_tokens
     where user_id = $1 and family_id is null and sub_account_id is null and ${isValidToken('access_tokens')}
     order by id desc`,
    [userId],
  );
}

/**
 * Deletes expired tokens of this kind once no security event shows their names. Tokens of families are deleted with
 * their family.
 */
export async function forgetEndedTokens(query: Query): Promise<void> {
  await untilFewer(1_000, (most) =>
    query(
      `delete from access_tokens where id = any(array(
         select id from access_tokens
         where family_id is null and sub_account_id is null and expires_at < now() - $1 * interval '1 day'
         order by expires_at limit $2))
       returning id`,
      [keptDays, most],
    ),
  );
}
