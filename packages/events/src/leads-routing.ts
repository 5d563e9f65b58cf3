import { z } from 'zod';
import { publisher } from './define-event.ts';

const { defineEvent, events } = publisher<'leads-routing'>();

export { events as leadsRoutingEvents };

const lead = z.object({ lead_id: z.int(), creator_user_id: z.int(), contact_id: z.int() });
export const leadCreated = defineEvent('leads-routing.lead.created', 'A lead was submitted and routed', lead);
export const leadClaimed = defineEvent(
  'leads-routing.lead.claimed',
  'A user claimed a lead; nobody else can claim it now',
  lead.extend({ claimed_by_user_id: z.int(), claimed_via: z.string() }),
);
export const leadOffered = defineEvent(
  'leads-routing.lead.offered',
  'The first offers of a lead were made to team members',
  lead.extend({ team_id: z.int() }),
);
export const leadReturned = defineEvent(
  'leads-routing.lead.returned',
  'A lead that could not be offered to anybody, or that nobody claimed, went to its creator',
  lead.extend({ reason: z.string() }),
);

const offer = z.object({
  offer_id: z.int(),
  lead_id: z.int(),
  user_id: z.int(),
  team_id: z.int(),
});
export const offerCreated = defineEvent(
  'leads-routing.offer.created',
  'A lead was offered to a team member, immediately or for a later time',
  offer.extend({ notify_at: z.iso.datetime() }),
);
export const offerChanged = defineEvent(
  'leads-routing.offer.changed',
  "A team member's turn was moved forward, because another member declined or has left",
  offer.extend({ notify_at: z.iso.datetime() }),
);
export const offerDeclined = defineEvent(
  'leads-routing.offer.declined',
  'A team member declined an offered lead',
  offer,
);
export const offerRemoved = defineEvent(
  'leads-routing.offer.removed',
  'An offer that was not yet due was removed, because the lead was claimed or went to its creator',
  offer,
);

const leadRoute = z.object({ lead_route_id: z.int(), creator_user_id: z.int() });
export const leadRouteCreated = defineEvent(
  'leads-routing.lead-route.created',
  'A lead route was added',
  leadRoute,
);
export const leadRouteChanged = defineEvent(
  'leads-routing.lead-route.changed',
  'A lead route was changed',
  leadRoute,
);
export const leadRouteRemoved = defineEvent(
  'leads-routing.lead-route.removed',
  'A lead route was removed; leads that it has routed are not affected',
  leadRoute,
);

const distributionOption = z.object({
  distribution_option_id: z.int(),
  team_id: z.int(),
  user_id: z.int(),
});
export const distributionOptionCreated = defineEvent(
  'leads-routing.distribution-option.created',
  'A team member was included in the distribution of the leads of the team',
  distributionOption,
);
export const distributionOptionChanged = defineEvent(
  'leads-routing.distribution-option.changed',
  'The time or way in which a team member is offered leads was changed',
  distributionOption,
);
export const distributionOptionRemoved = defineEvent(
  'leads-routing.distribution-option.removed',
  'A team member was excluded from the distribution of the leads of the team',
  distributionOption,
);
