import { type Query, readModel } from '@crm/data';
import { LeadSourceView } from './lead-source.api.ts';
import { visibleLeadSources } from './lead-source.policy.ts';

export const leadSourceRows = readModel(LeadSourceView, {
  table: 'lead_sources',
  visible: visibleLeadSources,
  hidden: { user_id: { kind: 'integer', sql: 'lead_sources.user_id' } },
});

/** Adds the sources that the user does not have yet. Existing ones are looked up first, so as not to use up ids. */
export async function addMissingSources(
  query: Query,
  userId: number,
  names: readonly string[],
): Promise<void> {
  await query(
    `insert into lead_sources (user_id, name)
     select $1::int, name from unnest($2::text[]) with ordinality as wanted (name, position)
     where not exists (select from lead_sources s where s.user_id = $1::int and s.name = wanted.name)
     order by position
     on conflict (user_id, name) do nothing`,
    [userId, names],
  );
}
