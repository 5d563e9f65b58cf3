import type { Query } from '@crm/data';

interface NewConsent {
  readonly userId: number;
  readonly applicationId: number;
  readonly scope: string;
  readonly at: Date;
}

/** Creates a consent, or locks the one that exists: it could be withdrawn before the next statement. */
export async function ensureConsent(query: Query, { userId, applicationId, scope, at }: NewConsent) {
  await query(
    `insert into consents (user_id, application_id, scope, created_at, modified_at)
     values ($1, $2, $3, $4, $4) on conflict (user_id, application_id)
     do update set modified_at = excluded.modified_at`,
    [userId, applicationId, scope, at],
  );
}
