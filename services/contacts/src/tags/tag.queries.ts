import type { Scalar } from '@crm/contract';
import { type Query, queryFirst, queryIds, queryRows, readModel, untilFewer } from '@crm/data';
import type { Binds } from '@crm/query';
import { z } from 'zod';
import { isOneTag, TagView } from './tag.api.ts';
import { visibleTags } from './tag.policy.ts';
import { tagsIn } from './tags-text.ts';

export const tagRows = readModel(TagView, {
  table: 'tags',
  visible: visibleTags,
  hidden: {
    user_id: { kind: 'integer', sql: 'tags.user_id' },
    removed_at: { kind: 'instant', sql: 'tags.removed_at' },
  },
});

const tagsOfContact = `contact_tags join tags on tags.id = contact_tags.tag_id and tags.removed_at is null
  where contact_tags.contact_id = contacts.id`;

/**
 * SQL for the text of a contact's tags. Each tag but the first is preceded by its own separator, so that the others
 * stay separated when one is removed.
 */
export const tagsText = `case when contacts.tags_head is null then contacts.tags_tail else coalesce(
  contacts.tags_head
  || (select string_agg(tags.content, contact_tags.lead order by contact_tags.position) from ${tagsOfContact})
  || contacts.tags_tail, '') end`;

const TagsText = z.object({ tags: z.string().nullable() });

/** The text of a contact's tags, whoever sees the contact. */
export async function tagsTextOf(query: Query, contactId: number): Promise<string | null | undefined> {
  const text = `select ${tagsText} as tags from contacts where id = $1::int`;
  const row = await queryFirst(query, TagsText, text, [contactId]);
  return row?.tags;
}

/**
 * The tags of a contact are those of its owner. Stated here as well, so that PostgreSQL starts with the tags of the requested
 * owners and finds their contacts by an index; otherwise it would read the tags of each contact that the user sees.
 */
const hasOneOf = (bound: string, isOfOwners: string) => `exists (select from ${tagsOfContact}
  and tags.content = any(${bound}) and tags.user_id = contacts.owner_user_id and ${isOfOwners})`;

/**
 * SQL for whether the text of a contact's tags, or one of the tags, is among some values. If each value is a single tag,
 * every contact with that text also has the tag, and an index finds them all. If each is a text of several, so are the
 * contacts that have its first tag, whose texts are compared. Where the contacts have several owners, a query of these says
 * whose tags to begin with.
 */
export function tagsEqual(values: readonly Scalar[], binds: Binds, owners?: string): string {
  const texts = values.map(String);
  const bind = (list: readonly string[]) => `${binds.add(list)}::text[]`;
  const isOfOwners = owners === undefined ? 'true' : `tags.user_id = any(array(${owners}))`;
  if (texts.every(isOneTag)) return hasOneOf(bind(texts), isOfOwners);
  const bound = bind(texts);
  const first = texts.flatMap((text) => tagsIn(text)[0]?.content ?? []);
  if (texts.some(isOneTag) || first.length < texts.length)
    return `(${hasOneOf(bound, isOfOwners)} or ${tagsText} = any(${bound}))`;
  // The comparison depends on the tag only to keep PostgreSQL from comparing the texts of all contacts first.
  const hasText = `${tagsText} = any(case when contact_tags.tag_id > 0 then ${bound} end)`;
  return hasOneOf(bind(first), `${isOfOwners} and ${hasText}`);
}

const LockedTag = z.object({ id: z.int(), content: z.string() });

/** A user's tags among some, by content, locked against renaming and removal until the transaction ends. */
export async function lockTags(
  query: Query,
  userId: number,
  contents: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryRows(
    query,
    LockedTag,
    `select id, content from tags
     where user_id = $1 and content = any($2::text[]) and removed_at is null order by content for share`,
    [userId, contents],
  );
  return new Map(rows.map(({ id, content }) => [content, id]));
}

/**
 * Adds tags of a user and returns their ids. Waits for a tag that is added concurrently, and skips it. Rows are inserted
 * in a fixed order, so that concurrent requests cannot deadlock.
 */
export function addTags(query: Query, userId: number, contents: readonly string[]): Promise<number[]> {
  return queryIds(
    query,
    `insert into tags (user_id, content) select $1, content from unnest($2::text[]) content order by content
     on conflict do nothing returning id`,
    [userId, contents],
  );
}

export interface TagOfContact {
  readonly tag_id: number;
  readonly lead: string;
}

/** Replaces the tags of a contact with these, in this order. */
export async function replaceTags(
  query: Query,
  contactId: number,
  tags: readonly TagOfContact[],
): Promise<void> {
  await query(
    `with fewer as (delete from contact_tags where contact_id = $1 and position > cardinality($2::int[]))
     insert into contact_tags as t (contact_id, position, tag_id, lead)
     select $1, position, tag_id, lead
     from unnest($2::int[], $3::text[]) with ordinality new (tag_id, lead, position)
     on conflict (contact_id, position) do update set tag_id = excluded.tag_id, lead = excluded.lead
     where (t.tag_id, t.lead) is distinct from (excluded.tag_id, excluded.lead)`,
    [contactId, tags.map(({ tag_id }) => tag_id), tags.map(({ lead }) => lead)],
  );
}

/** Writes tags of contacts that have none yet. */
export async function addTagsOfContacts(
  query: Query,
  tags: readonly (TagOfContact & { readonly contact_id: number; readonly position: number })[],
): Promise<void> {
  await query(
    `insert into contact_tags (contact_id, position, tag_id, lead)
     select contact_id, position, tag_id, lead
     from jsonb_to_recordset($1::jsonb) t (contact_id int, position int, tag_id int, lead text)`,
    [JSON.stringify(tags)],
  );
}

/** Deletes the rows of removed tags, which are hidden already, and before them the rows that refer to them. */
export async function forgetRemovedTags(query: Query): Promise<void> {
  await untilFewer(5_000, (most) =>
    query(
      `delete from contact_tags where (contact_id, position) in (
         select contact_id, position from contact_tags
         where tag_id in (select id from tags where removed_at is not null) limit $1 for update skip locked)
       returning tag_id`,
      [most],
    ),
  );
  await query(
    `delete from tags where removed_at is not null
     and not exists (select from contact_tags where contact_tags.tag_id = tags.id)`,
    [],
  );
}
