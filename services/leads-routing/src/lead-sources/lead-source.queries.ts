import type { User } from '@crm/auth';
import { type Query, type ReadModel, readModel } from '@crm/data';
import type { Binds } from '@crm/query';
import { LeadSourceView } from './lead-source.api.ts';
import { leadSourceOwners, visibleLeadSources } from './lead-source.policy.ts';

export const leadSourceRows = readModel(LeadSourceView, {
  table: 'lead_sources',
  visible: visibleLeadSources,
  hidden: { user_id: { kind: 'integer', sql: 'lead_sources.user_id' } },
});

/**
 * The sources that a user sees, one of each name even if the user and the broker both have it: the one that a route or
 * else a lead of the user refers to, or else the user's own. The other one can still be read by its id.
 */
export function leadSourcesListedFor(user: User): ReadModel {
  const owners = leadSourceOwners(user);
  if (owners.length === 1) return leadSourceRows;
  const sql = (binds: Binds) => hasNoBetterTwin(user, owners, binds);
  return {
    ...leadSourceRows,
    columns: { ...leadSourceRows.columns, is_listed: { kind: 'boolean', sql } },
    visible: (viewer) => ({ ...visibleLeadSources(viewer), is_listed: true }),
  };
}

function hasNoBetterTwin({ id }: User, owners: readonly number[], binds: Binds): string {
  const user = `${binds.add(id)}::int`;
  const rank = (source: string) => `(
    exists (select from lead_routes r where r.creator_user_id = ${user} and r.lead_source_id = ${source}.id),
    exists (select from leads l where l.creator_user_id = ${user} and l.source_id = ${source}.id),
    ${source}.user_id = ${user})`;
  return `(not exists (
    select from lead_sources twin
    where twin.user_id = any(${binds.add(owners)}::int[]) and twin.name = lead_sources.name
      and ${rank('twin')} > ${rank('lead_sources')}))`;
}

/** A SQL condition: a contact source of the user `$1` has the name. */
const isInUse = (name: string) =>
  `exists (select from known_contact_sources k where k.user_id = $1::int and k.name = ${name} and not k.is_removed)`;

/**
 * Adds a lead source for each of the names that a contact source has and no lead source of the user has yet. Checks for
 * existing ones first, so as not to use up ids.
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
 * Removes the lead sources with these names that no contact source has and no route or lead refers to. They are locked
 * in a separate statement, because only a later statement sees the routes and leads whose transactions the lock waited
 * for.
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
