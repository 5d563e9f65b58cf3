import { z } from 'zod';
import { publisher } from './define-event.ts';

const { defineEvent, events } = publisher<'leads-routing'>();

export { events as leadsRoutingEvents };

const lead = z.object({ lead_id: z.int(), creator_user_id: z.int(), contact_id: z.int() });
export const leadCreated = defineEvent('leads-routing.lead.created', 'A lead came in and was routed', lead);
export const leadClaimed = defineEvent(
  'leads-routing.lead.claimed',
  'A user has a lead, and nobody else can claim it',
  lead.extend({ claimed_by_user_id: z.int(), claimed_via: z.string() }),
);
export const leadOffered = defineEvent(
  'leads-routing.lead.offered',
  'The first offers of a lead were made to members of a team',
  lead.extend({ team_id: z.int() }),
);

const offer = z.object({
  offer_id: z.int(),
  lead_id: z.int(),
  user_id: z.int(),
  team_id: z.int(),
});
export const offerCreated = defineEvent(
  'leads-routing.offer.created',
  'A lead is offered to a member of a team, now or later',
  offer.extend({ notify_at: z.iso.datetime() }),
);
export const offerRemoved = defineEvent(
  'leads-routing.offer.removed',
  'An offer whose time had not come is gone, because the lead was claimed',
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
  'A lead route is gone; leads that it has routed stay where they are',
  leadRoute,
);

const distributionOption = z.object({
  distribution_option_id: z.int(),
  team_id: z.int(),
  user_id: z.int(),
});
export const distributionOptionCreated = defineEvent(
  'leads-routing.distribution-option.created',
  'A member of a team is offered its leads',
  distributionOption,
);
export const distributionOptionChanged = defineEvent(
  'leads-routing.distribution-option.changed',
  'When or how a member of a team is offered its leads was changed',
  distributionOption,
);
export const distributionOptionRemoved = defineEvent(
  'leads-routing.distribution-option.removed',
  'A member of a team is not offered its leads any more',
  distributionOption,
);
