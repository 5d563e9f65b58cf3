import { objectOf, readModel } from '@crm/data';
import { leadSourceRows } from '../lead-sources/lead-source.queries.ts';
import { isOpen } from '../rollout/open-offer.ts';
import { LeadView } from './lead.api.ts';
import { visibleLeads } from './lead.policy.ts';

/** Never negative: the instance that stored the claim may have a clock that is behind. */
const secondsToClaim = 'greatest(extract(epoch from leads.claimed_at - leads.created_at), 0)';
const hours = `floor(${secondsToClaim} / 3600)::text`;
const timeToClaim = `(case when leads.claimed_at is not null then
  lpad(${hours}, greatest(2, length(${hours})), '0')
  || to_char(make_interval(secs => ${secondsToClaim}::float8), ':MI:SS') end)`;

const integer = (column: string) => ({ kind: 'integer', sql: `leads.${column}` }) as const;

/** Records of other services are ids, which handlers replace. */
export const leadRows = readModel(LeadView, {
  table: 'leads',
  visible: visibleLeads,
  special: {
    mls_id: { sql: `(leads.mls_id #>> '{}')` },
    zipcode: { sql: `(leads.zipcode #>> '{}')` },
    address_1: { sql: 'leads.street_address' },
    time_to_claim: { sql: timeToClaim },
  },
  nested: {
    mls_id: 'leads.mls_id',
    zipcode: 'leads.zipcode',
    address_1: 'leads.street_address',
    time_to_claim: timeToClaim,
    assigned_to_user: 'leads.assigned_user_id',
    created_by_user: 'leads.creator_user_id',
    contact: 'case when leads.contact_owner_user_id is not null then leads.contact_id end',
    source: objectOf(leadSourceRows, 'lead_sources.id = leads.source_id', ['id', 'name']),
  },
  hidden: {
    creator_user_id: integer('creator_user_id'),
    assigned_user_id: integer('assigned_user_id'),
    contact_owner_user_id: integer('contact_owner_user_id'),
    offered_user_ids: {
      kind: 'integer',
      sql: 'offered_user_ids(leads.id)',
      // Starts from the offers, where an index finds those of one user. They are looked up first: as a subquery next to
      // the other conditions, it would make PostgreSQL read every lead to count them.
      contains: (ids, binds) => `leads.id = any(array(
        select o.lead_id from lead_offers o
        where o.user_id = any(${binds.add(ids)}::int[]) and o.notify_at <= now() and ${isOpen('o')}))`,
    },
  },
});
