import { type Context, completePage, completeText, findPage, getRecord, implement } from '@crm/service';
import { completeLeads, type LeadRow } from './complete-leads.ts';
import { leadApi } from './lead.api.ts';
import { leadRows } from './lead.queries.ts';

const completeFor = (ctx: Context) => (rows: readonly LeadRow[]) => completeLeads(ctx, rows);

export const leadHandlers = implement(leadApi, {
  find: (ctx, input) => completePage(findPage(ctx, leadRows, input), completeFor(ctx)),

  get: (ctx, input) => completeText(getRecord(ctx, leadRows, input), completeFor(ctx)),
});
