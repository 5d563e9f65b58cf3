import { noRecord } from '@crm/contract';
import { type Context, implement } from '@crm/service';
import { timezoneOffset } from '../users/timezone-offset.ts';
import { changeProfile } from './change-profile.ts';
import { CurrentUserView, meApi } from './me.api.ts';
import { userById } from './me.queries.ts';

export const meHandlers = implement(meApi, {
  get: currentUser,

  patch: async (ctx, changes) => {
    await changeProfile(ctx, ctx.user.id, changes);
    return currentUser(ctx);
  },
});

async function currentUser({ query, user: { id }, now }: Context) {
  const row = await userById(query, id);
  if (!row) throw noRecord(id);
  return CurrentUserView.parse({ ...row, timezone_offset: timezoneOffset(String(row.timezone), now()) });
}
