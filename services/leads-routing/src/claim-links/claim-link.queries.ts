import { type Query, queryFirst } from '@crm/data';
import { z } from 'zod';
import { LeadFacts, leadFacts } from '../leads/lead-facts.ts';

const ShownLead = LeadFacts.extend({ contact_id: z.int().nullable(), creator_user_id: z.int() });

/** A lead as a claim link shows it. */
export type ShownLead = z.output<typeof ShownLead>;

export function findShownLead(query: Query, leadId: number): Promise<ShownLead | undefined> {
  return queryFirst(
    query,
    ShownLead,
    `select ${leadFacts}, leads.creator_user_id,
       case when leads.contact_owner_user_id is not null then leads.contact_id end as contact_id
     from leads left join lead_sources on lead_sources.id = leads.source_id
     where leads.id = $1::int`,
    [leadId],
  );
}
