import { type Query, readModel } from '@crm/data';
import { LeadSourceView } from './lead-source.api.ts';
import { visibleLeadSources } from './lead-source.policy.ts';

export const leadSourceRows = readModel(LeadSourceView, {
  table: 'lead_sources',
  visible: visibleLeadSources,
  hidden: { user_id: { kind: 'integer', sql: 'lead_sources.user_id' } },
});

/** Whether a contact source of the user `$1` has the name. */
const isInUse = (name: string) =>
  `exists (select from known_contact_sources k where k.user_id = $1::int and k.name = ${name} and not k.is_removed)`;

/**
 * Adds those among the names that a contact source has and the user has no source of yet. Existing ones are looked up
 * first, so as not to use up ids.
 */
export async function addMissingSources(
  query: Query,
  userId: number,
  names: readonly string[],
): Promise<void> {
  await query(
    `insert into lead_sources (user_id, name)
     select $1::int, name from unnest($2::text[]) with ordinality as wanted (name, position)
     where ${isInUse('wanted.name')}
       and not exists (select from lead_sources s where s.user_id = $1::int and s.name = wanted.name)
     order by position`,
    [userId, names],
  );
}

/**
 * Removes those among the names that no contact source has and that no route or lead names. They are locked in a
 * statement of their own, because only a later one sees the routes and leads for which it has waited.
 */
export async function removeUnusedSources(
  query: Query,
  userId: number,
  names: readonly string[],
): Promise<void> {
  const unused = `user_id = $1::int and name = any($2::text[]) and not ${isInUse('s.name')}`;
  await query(`select from lead_sources s where ${unused} order by id for update`, [userId, names]);
  await query(
    `delete from lead_sources s where ${unused}
       and not exists (select from lead_routes r where r.lead_source_id = s.id)
       and not exists (select from leads l where l.source_id = s.id)`,
    [userId, names],
  );
}
