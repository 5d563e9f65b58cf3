import type { Query } from '@crm/data';

/** An application that a user lets act, as the user's page shows it. */
export interface ConsentedApplication {
  readonly application_id: number;
  readonly name: string;
  readonly scope: string;
  readonly since: Date;
  readonly last_used_at: Date | null;
}

/** The applications a user lets act, by name. */
export async function consentedApplications(
  query: Query,
  userId: number,
): Promise<readonly ConsentedApplication[]> {
  const rows = await query(
    `select c.application_id, a.name, c.scope, c.created_at, max(t.last_used_at) as last_used_at
     from consents c join applications a on a.id = c.application_id
     left join access_tokens t on t.application_id = a.id and t.user_id = c.user_id
     where c.user_id = $1 group by c.id, a.id order by lower(a.name), a.id`,
    [userId],
  );
  return rows.map((row) => ({
    application_id: Number(row.application_id),
    name: String(row.name),
    scope: String(row.scope),
    since: new Date(String(row.created_at)),
    last_used_at: row.last_used_at === null ? null : new Date(String(row.last_used_at)),
  }));
}
