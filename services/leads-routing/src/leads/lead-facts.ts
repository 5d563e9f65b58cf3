import { z } from 'zod';

const line = z.string().nullable();

/** The facts about a lead that a member who is offered it may know. */
export const LeadFacts = z.object({
  lead_id: z.int(),
  source: line,
  type: line,
  listing_status: line,
  listing_price: line,
  mls_id: line,
  street_address: line,
  city: line,
  state: line,
  zipcode: line,
  /** The message of the enquirer. */
  text_body: line,
  /** The time since the lead was submitted. */
  seconds_old: z.number(),
});

export type LeadFacts = z.output<typeof LeadFacts>;

/** The SQL columns of these facts, from `leads` joined with `lead_sources`. */
export const leadFacts = `leads.id as lead_id, lead_sources.name as source, leads.type, leads.listing_status,
  leads.listing_price, leads.mls_id #>> '{}' as mls_id, leads.street_address, leads.city, leads.state,
  leads.zipcode #>> '{}' as zipcode, left(leads.text_body, 4000) as text_body,
  extract(epoch from now() - leads.created_at)::float8 as seconds_old`;
