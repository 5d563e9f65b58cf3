import { Refused } from '@crm/contract';
import { userCreated } from '@crm/events';
import { answerWith, findPage, flushOr, getRecord, implement, publish } from '@crm/service';
import type { z } from 'zod';
import { timezoneOffset } from '../me/timezone-offset.ts';
import { changePassword, changeUser } from './change-user.ts';
import { disableUser, enableUser } from './disable-user.ts';
import { hashPassword } from './password.ts';
import { emailTaken, type UserView, userApi } from './user.api.ts';
import { User } from './user.entity.ts';
import { accountRows, personsByIds } from './user.queries.ts';
import { eventData } from './user-event-data.ts';
import { userForChange } from './user-named.ts';
import { usersOf, withoutToken } from './users-of-application.ts';

/** The key is what the tokens of sub-accounts are derived from. */
export function userHandlers({ key }: { readonly key: string }) {
  return implement(userApi, {
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

    search: (ctx, input) => findPage(ctx, accountRows, input),

    byIds: (ctx, { ids }) => personsByIds(ctx.query, ids),

    create: async (ctx, { password, ...draft }) => {
      const user = ctx.em.create(User, {
        ...draft,
        // In one spelling, so that it is found however it is typed.
        email: draft.email.toLowerCase(),
        password_hash: await hashPassword(password),
        created_at: ctx.now(),
        modified_at: ctx.now(),
      });
      await flushOr(ctx, { users_email: () => emailTaken({ errors: { email: 'is taken' } }) });
      publish(ctx, userCreated, user, eventData(user));
      return answerWith(ctx, accountRows, user.id);
    },

    change: async (ctx, { user: named, ...changes }) => {
      const user = await userForChange(ctx, named);
      await changeUser(ctx, user, changes);
      return answerWith(ctx, accountRows, user.id);
    },

    changePassword: async (ctx, { user: named, password }) => {
      // Slow on purpose, so it is done before anyone has to wait for the account.
      const hash = await hashPassword(password);
      const user = await userForChange(ctx, named);
      await changePassword(ctx, user, hash, key);
      return answerWith(ctx, accountRows, user.id);
    },

    disable: async (ctx, { user: named }) => {
      const user = await userForChange(ctx, named);
      await disableUser(ctx, user);
      return answerWith(ctx, accountRows, user.id);
    },

    enable: async (ctx, { user: named }) => {
      const user = await userForChange(ctx, named);
      await enableUser(ctx, user, key);
      return answerWith(ctx, accountRows, user.id);
    },
  });
}

const isMissing = (error: unknown) => error instanceof Refused && error.name === 'NotFound';

/** A user as it was read: the zone in the place of its offset, and that only where it was asked for. */
type Row = { readonly timezone_offset?: string };

function withOffset(row: Row, now: Date) {
  const { timezone_offset: zone } = row;
  return (zone === undefined ? row : { ...row, timezone_offset: timezoneOffset(zone, now) }) as z.output<
    typeof UserView
  >;
}
