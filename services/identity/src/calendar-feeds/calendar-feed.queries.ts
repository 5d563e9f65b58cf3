import type { Query } from '@crm/data';

/** The user whose calendar link has this secret; none while the account is disabled. */
export async function readerOf(query: Query, secretHash: string) {
  const [row] = await query(
    `select u.id, u.timezone from calendar_feeds f join users u on u.id = f.user_id
     where f.secret_hash = $1 and u.disabled_at is null`,
    [secretHash],
  );
  return row ? { user_id: Number(row.id), timezone: String(row.timezone) } : null;
}

/** When the present link to a user's calendar was created; null without a link. */
export async function calendarFeedSince(query: Query, userId: number): Promise<Date | null> {
  const [row] = await query('select created_at from calendar_feeds where user_id = $1', [userId]);
  return row ? new Date(String(row.created_at)) : null;
}
