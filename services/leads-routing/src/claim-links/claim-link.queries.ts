import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

const line = z.string().nullable();

const ShownLead = z.object({
  lead_id: z.int(),
  contact_id: z.int().nullable(),
  source: line,
  type: line,
  listing_status: line,
  listing_price: line,
  mls_id: line,
  street_address: line,
  city: line,
  state: line,
  zipcode: line,
  text_body: line,
  seconds_old: z.number(),
});

/** What a claim link shows of a lead. */
export type ShownLead = z.output<typeof ShownLead>;

export async function findShownLead(query: Query, leadId: number): Promise<ShownLead | undefined> {
  const [lead] = await queryRows(
    query,
    ShownLead,
    `select leads.id as lead_id,
       case when leads.contact_owner_user_id is not null then leads.contact_id end as contact_id,
       lead_sources.name as source, leads.type, leads.listing_status, leads.listing_price,
       leads.mls_id #>> '{}' as mls_id, leads.street_address, leads.city, leads.state,
       leads.zipcode #>> '{}' as zipcode, left(leads.text_body, 4000) as text_body,
       extract(epoch from now() - leads.created_at)::float8 as seconds_old
     from leads left join lead_sources on lead_sources.id = leads.source_id
     where leads.id = $1::int`,
    [leadId],
  );
  return lead;
}
