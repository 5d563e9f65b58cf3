import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleOffers } from './offer.policy.ts';

const OfferSchema = defineEntity({
  name: 'Offer',
  tableName: 'lead_offers',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    lead_id: p.integer(),
    user_id: p.integer(),
    team_id: p.integer(),
    /** The creator of the lead and of the team. */
    creator_user_id: p.integer(),
    rank: p.integer().nullable(),
    notify_at: p.datetime(),
    assign_automatically: p.boolean(),
    has_call_alert: p.boolean(),
    has_text_alert: p.boolean(),
    has_email_alert: p.boolean(),
    declined_at: p.datetime().nullable(),
    created_at: p.datetime(),
  },
  filters: visibleBy(visibleOffers),
});

/** A lead offered to one member of a team from a certain time on. */
export class Offer extends OfferSchema.class {}
OfferSchema.setClass(Offer);
