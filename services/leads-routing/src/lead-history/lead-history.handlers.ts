import { demandSeen, findHistory, implement } from '@crm/service';
import { leadRows } from '../leads/lead.queries.ts';
import { leadHistoryApi } from './lead-history.api.ts';

export const leadHistoryHandlers = implement(leadHistoryApi, {
  find: async (ctx, { lead_id, ...query }) => {
    await demandSeen(ctx, leadRows, lead_id);
    return findHistory(ctx, { type: 'lead', id: lead_id }, query);
  },
});
