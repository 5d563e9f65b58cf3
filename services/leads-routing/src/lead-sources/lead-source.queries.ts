import { type Query, readModel } from '@crm/data';
import { LeadSourceView } from './lead-source.api.ts';
import { visibleLeadSources } from './lead-source.policy.ts';

export const leadSourceRows = readModel(LeadSourceView, {
  table: 'lead_sources',
  visible: visibleLeadSources,
  hidden: { user_id: { kind: 'integer', sql: 'lead_sources.user_id' } },
});

/** Adds the sources that the user does not have yet. */
export async function addMissingSources(
  query: Query,
  userId: number,
  names: readonly string[],
): Promise<void> {
  await query(
    `insert into lead_sources (user_id, name)
     select $1, name from unnest($2::text[]) with ordinality as wanted (name, position) order by position
     on conflict (user_id, name) do nothing`,
    [userId, names],
  );
}
