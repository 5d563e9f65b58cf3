import { type Query, queryFirst, storedDate } from '@crm/data';
import { z } from 'zod';

const Reader = z.object({ user_id: z.int(), timezone: z.string() });

/** The user whose calendar link has this secret; undefined while the account is disabled. */
export async function readerOf(query: Query, secretHash: string) {
  const reader = await queryFirst(
    query,
    Reader,
    `select u.id as user_id, u.timezone from calendar_feeds f join users u on u.id = f.user_id
     where f.secret_hash = $1 and u.disabled_at is null`,
    [secretHash],
  );
  return reader ?? null;
}

const Feed = z.object({ created_at: storedDate });

/** When the current link to a user's calendar was created; null without a link. */
export async function calendarFeedSince(query: Query, userId: number): Promise<Date | null> {
  const feed = await queryFirst(query, Feed, 'select created_at from calendar_feeds where user_id = $1', [
    userId,
  ]);
  return feed?.created_at ?? null;
}
