import { hashOfToken, newSecret } from '@crm/auth';
import { calendarFeedCreated, calendarFeedRemoved } from '@crm/events';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { publishFor, publishRemovalFor } from '../oauth/publish-for.ts';
import { accountDisabled } from '../users/user.api.ts';
import { userForChange } from '../users/user-named.ts';
import { CalendarFeed } from './calendar-feed.entity.ts';

interface MadeFeed {
  readonly user_id: number;
  /** Where a calendar program reads. */
  readonly url: string;
}

/** Makes the link of a user's calendar, in the place of the one before. Throws NotFound, and Conflict for a disabled account. */
export async function makeCalendarFeed(
  ctx: Context,
  user: number | string,
  publicUrl: string,
): Promise<MadeFeed> {
  const { id: user_id, disabled_at } = await userForChange(ctx, user);
  if (disabled_at) throw accountDisabled();
  await endCalendarFeed(ctx, user_id);
  const secret = newSecret('crm_cf_');
  const feed = ctx.em.create(CalendarFeed, {
    user_id,
    secret_hash: hashOfToken(secret),
    created_at: ctx.now(),
  });
  await ctx.em.flush();
  publishFor(ctx, user_id, calendarFeedCreated, feed, eventData(feed));
  return { user_id, url: `${publicUrl}/calendar/${secret}.ics` };
}

/** Revokes the link of a user's calendar; says whether there was one. */
export async function endCalendarFeed(ctx: Context, user_id: number): Promise<boolean> {
  const feed = await ctx.em.findOne(CalendarFeed, { user_id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!feed) return false;
  ctx.em.remove(feed);
  await ctx.em.flush();
  publishRemovalFor(ctx, user_id, calendarFeedRemoved, feed, eventData(feed));
  return true;
}

function eventData({ id, user_id }: CalendarFeed) {
  return { calendar_feed_id: id, user_id };
}
