import type { Query } from '@crm/data';

interface NewConsent {
  readonly userId: number;
  readonly applicationId: number;
  readonly scope: string;
  readonly at: Date;
}

/** Creates a consent unless one exists. Of two concurrent calls, the second finds the consent of the first. */
export async function ensureConsent(query: Query, { userId, applicationId, scope, at }: NewConsent) {
  await query(
    `insert into consents (user_id, application_id, scope, created_at, modified_at)
     values ($1, $2, $3, $4, $4) on conflict (user_id, application_id) do nothing`,
    [userId, applicationId, scope, at],
  );
}
