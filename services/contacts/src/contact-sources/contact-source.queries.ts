import { hasRows, type Query, queryRows, readModel } from '@crm/data';
import { ContactSourceView, VersionedContactSource } from './contact-source.api.ts';
import { visibleContactSources } from './contact-source.policy.ts';

export const contactSourceRows = readModel(ContactSourceView, {
  table: 'contact_sources',
  visible: visibleContactSources,
  hidden: { removed_at: { kind: 'instant', sql: 'contact_sources.removed_at' } },
});

/** Records that a user gets the default sources, and returns whether the caller is the first, who must add them. */
export function markDefaultSources(query: Query, userId: number): Promise<boolean> {
  return hasRows(
    query,
    'insert into users_with_default_sources (user_id) values ($1::int) on conflict do nothing returning user_id',
    [userId],
  );
}

export function hasDefaultSources(query: Query, userId: number): Promise<boolean> {
  return hasRows(query, 'select from users_with_default_sources where user_id = $1::int', [userId]);
}

/** The sources of a user that were changed or removed most recently, the latest last. */
export async function lastChangedSources(query: Query, userId: number, limit: number) {
  const rows = await queryRows(
    query,
    VersionedContactSource,
    `select id, name, version, is_removed from (
       (select id, name, version, modified_at as at, false as is_removed from contact_sources
        where user_id = $1::int and removed_at is null order by modified_at desc, id desc limit $2::int)
       union all
       (select id, name, version, removed_at, true from removed_contact_sources
        where user_id = $1::int order by removed_at desc, id desc limit $2::int)
     ) last
     order by at desc, id desc limit $2::int`,
    [userId, limit],
  );
  return rows.reverse();
}

/** Remembers a removal for as long as another service may ask about it because it has not received the event. */
export async function rememberRemoval(
  query: Query,
  {
    id,
    user_id,
    name,
    version,
  }: { readonly id: number; readonly user_id: number; readonly name: string; readonly version: number },
  removedAt: Date,
): Promise<void> {
  await query(
    `with forgotten as (
       delete from removed_contact_sources where user_id = $2::int and removed_at < $5::timestamptz - interval '7 days'
     )
     insert into removed_contact_sources (id, user_id, name, version, removed_at)
     values ($1::int, $2::int, $3, $4::int, $5::timestamptz)`,
    [id, user_id, name, version, removedAt.toISOString()],
  );
}
