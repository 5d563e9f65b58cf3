import type { Query } from '@crm/data';

/** How many users other than its owner have connected an application, and how many valid tokens it has for them. */
export interface ApplicationUse {
  readonly users: number;
  readonly tokens: number;
}

export async function applicationUse(query: Query, id: number, ownerId: number): Promise<ApplicationUse> {
  const [row] = await query(
    `select
       (select count(*) from consents where application_id = $1 and user_id <> $2)::int as users,
       (
         select count(*) from access_tokens t left join token_families f on f.id = t.family_id
         where t.application_id = $1 and t.user_id <> $2
           and t.revoked_at is null and f.revoked_at is null and t.expires_at > now()
       )::int as tokens`,
    [id, ownerId],
  );
  return { users: Number(row?.users), tokens: Number(row?.tokens) };
}
