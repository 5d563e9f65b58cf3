import { type Query, queryRows, readModel } from '@crm/data';
import { ContactSourceView, VersionedContactSource } from './contact-source.api.ts';
import { visibleContactSources } from './contact-source.policy.ts';

export const contactSourceRows = readModel(ContactSourceView, {
  table: 'contact_sources',
  visible: visibleContactSources,
});

/** Records that a user gets the default sources, and returns whether the caller is the first, who must add them. */
export async function markDefaultSources(query: Query, userId: number): Promise<boolean> {
  const rows = await query(
    'insert into users_with_default_sources (user_id) values ($1::int) on conflict do nothing returning user_id',
    [userId],
  );
  return rows.length > 0;
}

export async function hasDefaultSources(query: Query, userId: number): Promise<boolean> {
  const rows = await query('select from users_with_default_sources where user_id = $1::int', [userId]);
  return rows.length > 0;
}

/** The sources of a user that were changed last, the last one at the end. */
export async function lastChangedSources(query: Query, userId: number, limit: number) {
  const rows = await queryRows(
    query,
    VersionedContactSource,
    `select id, name, version from contact_sources where user_id = $1::int
     order by modified_at desc, id desc limit $2::int`,
    [userId, limit],
  );
  return rows.reverse();
}
