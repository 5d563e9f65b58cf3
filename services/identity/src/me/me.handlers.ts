import { noRecord } from '@crm/contract';
import { implement } from '@crm/service';
import { CurrentUserView, meApi } from './me.api.ts';
import { userById } from './me.queries.ts';
import { timezoneOffset } from './timezone-offset.ts';

export const meHandlers = implement(meApi, {
  get: async (ctx) => {
    const { id, timezone } = ctx.user;
    const row = await userById(ctx.query, id);
    if (!row) throw noRecord(id);
    return CurrentUserView.parse({ ...row, timezone_offset: timezoneOffset(timezone, ctx.now()) });
  },
});
