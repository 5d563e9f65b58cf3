import { leadClaimed, leadCreated } from '@crm/events';
import {
  answerWith,
  type Context,
  causeNow,
  completeRecord,
  implement,
  inSteps,
  publish,
} from '@crm/service';
import { afterCommit } from '../after-commit.ts';
import { holdSource } from '../lead-sources/hold-source.ts';
import { completeLeads, type LeadRow } from '../leads/complete-leads.ts';
import { type ClaimChannel, Lead } from '../leads/lead.entity.ts';
import { leadRows } from '../leads/lead.queries.ts';
import { eventData } from '../leads/lead-event-data.ts';
import { makeOffers } from '../offers/make-offers.ts';
import { alertCreator } from '../offers/new-alert.queries.ts';
import { contactOfLead } from './contact-of-lead.ts';
import { routeFactsOf } from './route-facts.ts';
import { routingOf } from './routing-of.ts';
import { submissionApi } from './submission.api.ts';

export const submissionHandlers = implement(submissionApi, {
  create: inSteps(submissionApi.create, {
    ask: async (ctx, draft) => {
      const contact = await contactOfLead(ctx, draft);
      return { contact, facts: await routeFactsOf(ctx, { ...draft, ...contact }) };
    },
    act: async (ctx, { claimed_via = 'None', ...draft }, { contact, facts }) => {
      await holdSource(ctx, 'source_id', draft.source_id);
      const routing = routingOf({ ...draft, ...contact }, facts);
      const lead = ctx.em.create(Lead, {
        ...draft,
        ...contact,
        ...routing,
        status: 'Pending',
        claimed_via: 'None',
        assigned_user_id: routing.distribution_target === 'Myself' ? ctx.user.id : null,
        creator_user_id: ctx.user.id,
        created_at: ctx.now(),
        cause: causeNow(ctx),
      });
      await ctx.em.flush();
      publish(ctx, leadCreated, lead, eventData(lead));
      if (claimed_via !== 'None') await claimFor(ctx, lead, claimed_via);
      else if (lead.makes_offers) await makeOffers(ctx, lead, facts.teams);
      else if (lead.fallback_reason) await alertCreator(ctx, lead.id);
      return answerWith(ctx, leadRows, lead.id);
    },
    complete: (ctx, row: LeadRow) => completeRecord(row, completeLeads(ctx, afterCommit(ctx))),
  }),
});

/** The creator of a lead may submit it as already claimed. The creator needs no further access to the contact. */
async function claimFor(ctx: Context, lead: Lead, claimed_via: ClaimChannel) {
  lead.claim(ctx.user.id, claimed_via, ctx.now());
  lead.contact_given_at = ctx.now();
  await ctx.em.flush();
  publish(ctx, leadClaimed, lead, { ...eventData(lead), claimed_by_user_id: ctx.user.id, claimed_via });
}
