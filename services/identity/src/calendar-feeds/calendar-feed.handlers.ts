import { hashOfToken } from '@crm/auth';
import { notFound } from '@crm/contract';
import { implement } from '@crm/service';
import { lockUser } from '../users/user-named.ts';
import { calendarFeedApi } from './calendar-feed.api.ts';
import { readerOf } from './calendar-feed.queries.ts';
import { createCalendarFeed, removeCalendarFeed } from './own-calendar-feed.ts';

export const calendarFeedHandlers = (publicUrl: string) =>
  implement(calendarFeedApi, {
    create: (ctx, { user }) => createCalendarFeed(ctx, user, publicUrl),

    remove: async (ctx, { user: named }) => {
      const user = await lockUser(ctx, named);
      if (!(await removeCalendarFeed(ctx, user.id)))
        throw notFound({ message: 'The calendar of this user has no link.' });
      return { user_id: user.id };
    },

    resolve: async (ctx, { secret }) => readerOf(ctx.query, hashOfToken(secret)),
  });
