import type { Condition } from '@crm/contract';
import { completePage, completeText, findOrSearch, getRecord, implement } from '@crm/service';
import { completeLeads } from './complete-leads.ts';
import { leadApi } from './lead.api.ts';
import { leadRows, searchedLeads } from './lead.queries.ts';

export const leadHandlers = implement(leadApi, {
  find: (ctx, { assigned_user_id, ...input }) => {
    const assigned: Condition[] =
      assigned_user_id === undefined
        ? []
        : [{ field: 'assigned_user_id', op: '$in', value: [assigned_user_id] }];
    const asked = { ...input, where: [...input.where, ...assigned] };
    return completePage(findOrSearch(ctx, searchedLeads, asked), completeLeads(ctx));
  },

  get: (ctx, input) => completeText(getRecord(ctx, leadRows, input), completeLeads(ctx)),
});
