import type { Rule } from '@crm/auth';
import { type Context, completePage, completeText, findPage, getRecord, implement } from '@crm/service';
import { completeLeads, type LeadRow } from './complete-leads.ts';
import { leadApi } from './lead.api.ts';
import { leadRows } from './lead.queries.ts';

const completeFor = (ctx: Context) => (rows: readonly LeadRow[]) => completeLeads(ctx, rows);

export const leadHandlers = implement(leadApi, {
  find: (ctx, { assigned_user_id, ...input }) => {
    const within: Rule = { ...(assigned_user_id !== undefined && { assigned_user_id }) };
    return completePage(findPage(ctx, leadRows, input, within), completeFor(ctx));
  },

  get: (ctx, input) => completeText(getRecord(ctx, leadRows, input), completeFor(ctx)),
});
