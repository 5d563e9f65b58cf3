import { noRecord } from '@crm/contract';
import { demand, implement } from '@crm/service';
import { explainRoutes } from '../lead-routes/choose-route.ts';
import { checkSource } from '../lead-sources/hold-source.ts';
import { Lead } from '../leads/lead.entity.ts';
import { mayDistribute, onlyCreatorDistributes } from '../leads/lead.policy.ts';
import { Offer } from '../offers/offer.entity.ts';
import { contactOfLead } from '../submissions/contact-of-lead.ts';
import { ownRoutes, routeFactsOf } from '../submissions/route-facts.ts';
import { routingOf } from '../submissions/routing-of.ts';
import { leadRoutingApi, simulationApi } from './routing.api.ts';
import { simulate } from './simulate.ts';

export const leadRoutingHandlers = implement(leadRoutingApi, {
  routing: async (ctx, { id }) => {
    const lead = await ctx.em.findOne(Lead, id);
    if (!lead) throw noRecord(id);
    demand(mayDistribute(ctx.user, lead), onlyCreatorDistributes);
    const made = await ctx.em.find(Offer, { lead_id: id }, { orderBy: { id: 'asc' } });
    return {
      lead_route_id: lead.lead_route_id ?? null,
      fallback_reason: lead.fallback_reason ?? null,
      routes: explainRoutes(lead, await ownRoutes(ctx)),
      ...(await simulate(ctx, lead, made)),
    };
  },
});

export const simulationHandlers = implement(simulationApi, {
  simulate: async (ctx, { contact_id, ...draft }) => {
    await checkSource(ctx, draft.source_id);
    const contact = contact_id === undefined ? {} : await contactOfLead(ctx, { contact_id });
    const lead = { ...draft, ...contact };
    const { lead_route_id, fallback_reason, ...routed } = routingOf(lead, await routeFactsOf(ctx, lead));
    return {
      lead_route_id,
      fallback_reason,
      routes: explainRoutes(lead, await ownRoutes(ctx)),
      ...(await simulate(ctx, { ...draft, ...routed })),
    };
  },
});
