import type { Query } from '@crm/data';
import type { LeadFacts } from '../alerts/lead-words.ts';

export interface ShownLead extends LeadFacts {
  readonly contact_id: number | null;
}

/** What a link shows of a lead. */
export async function shownLead(query: Query, leadId: number): Promise<ShownLead | undefined> {
  const [row] = await query(
    `select leads.id as lead_id,
       case when leads.contact_owner_user_id is not null then leads.contact_id end as contact_id,
       lead_sources.name as source, leads.type, leads.listing_status, leads.listing_price,
       leads.mls_id #>> '{}' as mls_id, leads.street_address, leads.city, leads.state,
       leads.zipcode #>> '{}' as zipcode
     from leads left join lead_sources on lead_sources.id = leads.source_id
     where leads.id = $1::int`,
    [leadId],
  );
  return row as unknown as ShownLead | undefined;
}
