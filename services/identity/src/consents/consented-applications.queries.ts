import { type Query, queryRows, storedDate } from '@crm/data';
import { z } from 'zod';

const Consented = z.object({
  application_id: z.int(),
  name: z.string(),
  scope: z.string(),
  since: storedDate,
  last_used_at: storedDate.nullable(),
});

/** An application that a user has connected, as the user's page shows it. */
export type ConsentedApplication = Readonly<z.output<typeof Consented>>;

/** The applications that a user has connected, by name. */
export async function consentedApplications(
  query: Query,
  userId: number,
): Promise<readonly ConsentedApplication[]> {
  return queryRows(
    query,
    Consented,
    `select a.id as application_id, a.name, c.scope, c.created_at as since,
       (
         select max(t.last_used_at) from access_tokens t
         where t.application_id = a.id and t.user_id = c.user_id
       ) as last_used_at
     from consents c join applications a on a.id = c.application_id
     where c.user_id = $1 and a.removed_at is null order by lower(a.name), a.id`,
    [userId],
  );
}
