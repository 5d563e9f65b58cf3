import { noteReport, reportedIn } from '@crm/dispatch';
import { implement } from '@crm/service';
import { noteUnreachable } from '../unreachable-addresses/unreachable-address.queries.ts';
import { accountMailApi } from './account-mail.api.ts';
import { mailTable } from './account-mail.queries.ts';

const mails = reportedIn({ table: mailTable, statusPath: '' });

export const accountMailHandlers = implement(accountMailApi, {
  report: async (ctx, { reports }) => {
    for (const { key, state, reason, is_unreachable } of reports) {
      const report = { reference: `dsn-${key}`, state, ...(reason !== null && { reason }) };
      const ends = is_unreachable && ({ ends: 'unreachable' } as const);
      const noted = await noteReport(ctx, key, { ...report, ...ends }, [mails]);
      if (!noted?.ended) continue;
      const { to: address, why } = noted.ended;
      await noteUnreachable(ctx.query, { address, why, at: ctx.now().toISOString() });
    }
    return {};
  },
});
