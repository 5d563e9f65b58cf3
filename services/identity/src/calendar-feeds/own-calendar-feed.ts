import { hashOfToken, newSecret } from '@crm/auth';
import { calendarFeedCreated, calendarFeedRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { publishFor } from '../publish-for.ts';
import { accountDisabled } from '../users/user.api.ts';
import { lockUser } from '../users/user-named.ts';
import { CalendarFeed } from './calendar-feed.entity.ts';

interface CreatedFeed {
  readonly user_id: number;
  /** The address that a calendar program subscribes to. */
  readonly url: string;
}

/**
 * Creates the link to a user's calendar and revokes the previous one. Throws NotFound, and Conflict for a disabled
 * account.
 */
export async function createCalendarFeed(
  ctx: Context,
  user: number | string,
  publicUrl: string,
): Promise<CreatedFeed> {
  const { id: user_id, disabled_at } = await lockUser(ctx, user);
  if (disabled_at) throw accountDisabled();
  await removeCalendarFeed(ctx, user_id);
  const secret = newSecret('calendarFeed');
  const feed = ctx.em.create(CalendarFeed, {
    user_id,
    secret_hash: hashOfToken(secret),
    created_at: ctx.now(),
  });
  await ctx.em.flush();
  publishFor(ctx, user_id, calendarFeedCreated, feed, eventData(feed));
  return { user_id, url: `${publicUrl}/calendar/${secret}.ics` };
}

/** Revokes the link to a user's calendar. Returns false if there was none. */
export async function removeCalendarFeed(ctx: Context, user_id: number): Promise<boolean> {
  const feed = await ctx.em.findOne(CalendarFeed, { user_id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!feed) return false;
  ctx.em.remove(feed);
  await ctx.em.flush();
  publishFor(ctx, user_id, calendarFeedRemoved, removalOf(feed), eventData(feed));
  return true;
}

function eventData({ id, user_id }: CalendarFeed) {
  return { calendar_feed_id: id, user_id };
}
