import { type Actor, isUser } from '@crm/auth';
import { objectOf, readModel, type SearchedModel } from '@crm/data';
import type { Binds } from '@crm/query';
import { leadSourceRows } from '../lead-sources/lead-source.queries.ts';
import { isStanding } from '../rollout/open-offer.ts';
import { LeadView } from './lead.api.ts';
import { visibleLeads } from './lead.policy.ts';

/** Never negative, even if the clock of the instance that stored the claim is behind. */
const secondsToClaim = `(case when leads.claimed_at is not null then
  floor(greatest(extract(epoch from leads.claimed_at - leads.created_at), 0))::bigint end)`;
const hours = `(${secondsToClaim} / 3600)::text`;
const timeToClaim = `(lpad(${hours}, greatest(2, length(${hours})), '0')
  || to_char(make_interval(secs => ${secondsToClaim}), ':MI:SS'))`;

const integer = (column: string) => ({ kind: 'integer', sql: `leads.${column}` }) as const;

/**
 * The contact of a lead; null if the creator of the lead could not see it. `is_offered` lets users who are offered the
 * lead see its name.
 */
function contactFor(viewer: Actor, binds: Binds): string {
  const isOffered = isUser(viewer)
    ? `exists (select from lead_offers o where o.lead_id = leads.id and o.user_id = ${binds.add(viewer.id)}::int
         and o.team_id = any(${binds.add(viewer.team_ids)}::int[]) and ${isStanding('o')})`
    : 'true';
  return `case when leads.contact_owner_user_id is not null
    then json_build_object('id', leads.contact_id, 'creator', leads.creator_user_id, 'is_offered', ${isOffered}) end`;
}

/** Records of other services are read as ids, which handlers replace. */
export const leadRows = readModel(LeadView, {
  table: 'leads',
  visible: visibleLeads,
  special: {
    mls_id: { sql: `(leads.mls_id #>> '{}')` },
    zipcode: { sql: `(leads.zipcode #>> '{}')` },
    address_1: { sql: 'leads.street_address' },
    time_to_claim: { sql: secondsToClaim },
  },
  nested: {
    mls_id: 'leads.mls_id',
    zipcode: 'leads.zipcode',
    address_1: 'leads.street_address',
    time_to_claim: timeToClaim,
    assigned_to_user: 'leads.assigned_user_id',
    created_by_user: 'leads.creator_user_id',
    contact: contactFor,
    source: objectOf(leadSourceRows, 'lead_sources.id = leads.source_id', ['id', 'name']),
  },
  hidden: {
    creator_user_id: integer('creator_user_id'),
    assigned_user_id: integer('assigned_user_id'),
    contact_owner_user_id: integer('contact_owner_user_id'),
    offered_to: {
      kind: 'text',
      sql: 'offered_to(leads.id)',
      // Starts from the offers, where an index finds those of one user. The array makes PostgreSQL look them up first; with
      // a plain subquery next to the other conditions, it would read every lead to count them.
      overlaps: (members, binds) => `leads.id = any(array(
        select o.lead_id from unnest(${binds.add(members)}::text[]) member
        join lead_offers o on o.user_id = split_part(member, '/', 2)::int and o.team_id = split_part(member, '/', 1)::int
        where ${isStanding('o')}))`,
    },
  },
});

/** The search of leads. It does not find names of contacts, which are stored by another service. */
export const searchedLeads: SearchedModel = {
  ...leadRows,
  search: {
    words: 'leads.search_text',
    indexedBy: ['creator_user_id'],
    latest: 'leads.created_at',
  },
};

/** When the last turns of unclaimed leads end. */
export const turnsToEnd = 'select runs_out_at as due_at from leads where runs_out_at is not null';
