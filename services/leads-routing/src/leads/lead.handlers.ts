import { leadClaimed, leadCreated } from '@crm/events';
import {
  answerWith,
  type Context,
  completePage,
  completeRecord,
  completeText,
  findPage,
  getRecord,
  implement,
  inSteps,
  publish,
} from '@crm/service';
import { completeLeads, type LeadRow } from './complete-leads.ts';
import { contactOfLead } from './contact-of-lead.ts';
import { leadApi } from './lead.api.ts';
import { type ClaimChannel, Lead } from './lead.entity.ts';
import { leadRows } from './lead.queries.ts';
import { eventData } from './lead-event-data.ts';
import { checkSource, routeLead } from './route-lead.ts';

const completeFor = (ctx: Context) => (rows: readonly LeadRow[]) => completeLeads(ctx, rows);

export const leadHandlers = implement(leadApi, {
  find: (ctx, input) => completePage(findPage(ctx, leadRows, input), completeFor(ctx)),

  get: (ctx, input) => completeText(getRecord(ctx, leadRows, input), completeFor(ctx)),

  create: inSteps(leadApi.create, {
    ask: contactOfLead,
    act: async (ctx, { claimed_via = 'None', ...draft }, contact) => {
      await checkSource(ctx, draft.source_id);
      const routing = await routeLead(ctx, { ...draft, ...contact });
      const lead = ctx.em.create(Lead, {
        ...draft,
        ...contact,
        ...routing,
        status: 'Pending',
        claimed_via: 'None',
        assigned_user_id: routing.distribution_target === 'Myself' ? ctx.user.id : null,
        creator_user_id: ctx.user.id,
        created_at: ctx.now(),
      });
      await ctx.em.flush();
      publish(ctx, leadCreated, lead, eventData(lead));
      if (claimed_via !== 'None') await claimFor(ctx, lead, claimed_via);
      return answerWith(ctx, leadRows, lead.id);
    },
    finish: (ctx, row: LeadRow) => completeRecord(row, completeFor(ctx)),
  }),
});

/** The creator of a lead may state that it is already claimed. */
async function claimFor(ctx: Context, lead: Lead, claimed_via: ClaimChannel) {
  lead.claim(ctx.user.id, claimed_via, ctx.now());
  await ctx.em.flush();
  publish(ctx, leadClaimed, lead, { ...eventData(lead), claimed_by_user_id: ctx.user.id, claimed_via });
}
