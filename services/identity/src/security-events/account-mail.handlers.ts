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
      const block = is_unreachable && ({ block: 'unreachable' } as const);
      const noted = await noteReport(ctx, key, { ...report, ...block }, [mails]);
      if (!noted?.blocked) continue;
      const { to: address, why } = noted.blocked;
      await noteUnreachable(ctx.query, { address, why, at: ctx.now().toISOString() });
    }
    return {};
  },
});
