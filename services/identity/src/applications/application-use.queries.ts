import { type Query, queryRow } from '@crm/data';
import { z } from 'zod';
import { isValidToken } from '../valid-token.queries.ts';

const Use = z.object({ users: z.int(), tokens: z.int() });

/** The number of users other than the owner who have connected an application, and of its valid tokens for them. */
export type ApplicationUse = Readonly<z.output<typeof Use>>;

export function applicationUse(query: Query, id: number, ownerId: number): Promise<ApplicationUse> {
  return queryRow(
    query,
    Use,
    `select
       (select count(*) from consents where application_id = $1 and user_id <> $2)::int as users,
       (
         select count(*) from access_tokens t left join token_families f on f.id = t.family_id
         where t.application_id = $1 and t.user_id <> $2
           and ${isValidToken('t')} and f.revoked_at is null
       )::int as tokens`,
    [id, ownerId],
  );
}
