import type { Query } from '@crm/data';

/** An application that a user has connected, as the user's page shows it. */
export interface ConsentedApplication {
  readonly application_id: number;
  readonly name: string;
  readonly scope: string;
  readonly since: string;
  readonly last_used_at: string | null;
}

/** The applications that a user has connected, by name. */
export async function consentedApplications(
  query: Query,
  userId: number,
): Promise<readonly ConsentedApplication[]> {
  const rows = await query(
    `select json_build_object(
       'application_id', a.id, 'name', a.name, 'scope', c.scope, 'since', c.created_at,
       'last_used_at', (
         select max(t.last_used_at) from access_tokens t
         where t.application_id = a.id and t.user_id = c.user_id
       )
     )::text as application
     from consents c join applications a on a.id = c.application_id
     where c.user_id = $1 order by lower(a.name), a.id`,
    [userId],
  );
  return rows.map((row) => JSON.parse(String(row.application)) as ConsentedApplication);
}
