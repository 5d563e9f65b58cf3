import { Refused } from '@crm/contract';
import { findPage, getRecord, implement } from '@crm/service';
import type { z } from 'zod';
import { timezoneOffset } from './timezone-offset.ts';
import { type UserView, userApi, withoutToken } from './user.api.ts';
import { personsByIds } from './user.queries.ts';
import { usersOf } from './users-of-application.ts';

export const userHandlers = implement(userApi, {
  find: async (ctx, { oauth_client_id, ...input }) => {
    const page = JSON.parse((await findPage(ctx, await usersOf(ctx, oauth_client_id), input)).text);
    return { ...page, data: page.data.map((row: Row) => withOffset(row, ctx.now())) };
  },

  get: async (ctx, { oauth_client_id, ...input }) => {
    const rows = await usersOf(ctx, oauth_client_id);
    const user = await getRecord(ctx, rows, input).catch((error: unknown) => {
      throw oauth_client_id === undefined || !isMissing(error) ? error : withoutToken();
    });
    return withOffset(JSON.parse(user.text), ctx.now());
  },

  byIds: (ctx, { ids }) => personsByIds(ctx.query, ids),
});

const isMissing = (error: unknown) => error instanceof Refused && error.name === 'NotFound';

/** A user as read from the database, with the time zone in place of its offset if that field was selected. */
type Row = { readonly timezone_offset?: string };

function withOffset(row: Row, now: Date) {
  const { timezone_offset: zone } = row;
  return (zone === undefined ? row : { ...row, timezone_offset: timezoneOffset(zone, now) }) as z.output<
    typeof UserView
  >;
}
