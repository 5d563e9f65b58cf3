import { type Query, queryIds, queryRows } from '@crm/data';
import { z } from 'zod';

/** The state of a contact source, from an event or a response of contacts. */
export interface ContactSourceFact {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly is_removed?: boolean;
}

/** Serializes changes to one user's contact sources, because they may concern the same name. */
export async function lockSourcesOf(query: Query, userId: number): Promise<void> {
  await query("select pg_advisory_xact_lock(hashtext('sources'), $1::int)", [userId]);
}

/** Those of the facts that are newer than the stored ones. */
export async function newsAmong(query: Query, facts: readonly ContactSourceFact[]) {
  const news = await queryIds(
    query,
    `select fact.id from unnest($1::int[], $2::int[]) as fact (id, version)
     where not exists (select from known_contact_sources k where k.id = fact.id and k.version >= fact.version)`,
    [facts.map(({ id }) => id), facts.map(({ version }) => version)],
  );
  const ids = new Set(news);
  return facts.filter(({ id }) => ids.has(id));
}

const StoredFact = z.object({ name: z.string(), former: z.string().nullable() });

/**
 * Stores facts, except those that are older than a stored one. Returns the current and former names of the stored
 * sources, in order.
 */
export async function storeFacts(query: Query, userId: number, facts: readonly ContactSourceFact[]) {
  const rows = await queryRows(
    query,
    StoredFact,
    `with facts as (
       select * from unnest($2::int[], $3::text[], $4::int[], $5::boolean[])
         with ordinality as facts (id, name, version, is_removed, position)
     ), stored as (
       insert into known_contact_sources as k (id, user_id, name, version, is_removed)
       select id, $1::int, name, version, is_removed from facts
       on conflict (id) do update
         set name = excluded.name, version = excluded.version, is_removed = excluded.is_removed
         where k.version < excluded.version
       returning id
     )
     select facts.name, former.name as former
     from stored join facts using (id) left join known_contact_sources former using (id)
     order by position`,
    [
      userId,
      facts.map(({ id }) => id),
      facts.map(({ name }) => name),
      facts.map(({ version }) => version),
      facts.map(({ is_removed = false }) => is_removed),
    ],
  );
  return [...new Set(rows.flatMap(({ name, former }) => [name, ...(former === null ? [] : [former])]))];
}
