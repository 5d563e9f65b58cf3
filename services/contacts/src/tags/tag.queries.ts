import type { Scalar } from '@crm/contract';
import { type Query, readModel } from '@crm/data';
import type { Binds } from '@crm/query';
import { isOneTag, TagView } from './tag.api.ts';
import { visibleTags } from './tag.policy.ts';

export const tagRows = readModel(TagView, {
  table: 'tags',
  visible: visibleTags,
  hidden: {
    user_id: { kind: 'integer', sql: 'tags.user_id' },
    removed_at: { kind: 'instant', sql: 'tags.removed_at' },
  },
});

const carried = `contact_tags join tags on tags.id = contact_tags.tag_id and tags.removed_at is null
  where contact_tags.contact_id = contacts.id`;

/**
 * SQL for the text of a contact's tags. Each tag but the first comes after what stood before it, so that where
 * one is gone the others stay joined.
 */
export const tagsText = `case when contacts.tags_head is null then contacts.tags_tail else coalesce(
  contacts.tags_head
  || (select string_agg(tags.content, contact_tags.lead order by contact_tags.position) from ${carried})
  || contacts.tags_tail, '') end`;

const carriesOneOf = (bound: string) => `exists (select from ${carried} and tags.content = any(${bound}))`;

/**
 * SQL for whether the text of a contact's tags, or one of the tags, is among some values. Where each value is one
 * tag, who has it as the text carries it too, and an index finds them all.
 */
export function tagsEqual(values: readonly Scalar[], binds: Binds): string {
  const texts = values.map(String);
  const bound = `${binds.add(texts)}::text[]`;
  return texts.every(isOneTag)
    ? carriesOneOf(bound)
    : `(${carriesOneOf(bound)} or ${tagsText} = any(${bound}))`;
}

/** A user's tags among some, by content. Until the transaction ends they are neither renamed nor removed. */
export async function holdTags(
  query: Query,
  userId: number,
  contents: readonly string[],
): Promise<Map<string, number>> {
  const rows = await query(
    `select id, content from tags
     where user_id = $1 and content = any($2::text[]) and removed_at is null order by content for share`,
    [userId, contents],
  );
  return new Map(rows.map(({ id, content }) => [String(content), Number(id)]));
}

/**
 * Adds tags for a user and answers their ids; one that somebody else adds at the same moment is waited for and left
 * alone. All do it in one order, so that two who add the same tags never wait for each other.
 */
export async function addTags(query: Query, userId: number, contents: readonly string[]): Promise<number[]> {
  const rows = await query(
    `insert into tags (user_id, content) select $1, content from unnest($2::text[]) content order by content
     on conflict do nothing returning id`,
    [userId, contents],
  );
  return rows.map(({ id }) => Number(id));
}

interface Carried {
  readonly tag_id: number;
  readonly lead: string;
}

/** Gives a contact these tags in this order, and no others. */
export async function replaceTags(query: Query, contactId: number, tags: readonly Carried[]): Promise<void> {
  await query('delete from contact_tags where contact_id = $1', [contactId]);
  await query(
    `insert into contact_tags (contact_id, position, tag_id, lead)
     select $1, position, tag_id, lead
     from unnest($2::int[], $3::text[]) with ordinality carried (tag_id, lead, position)`,
    [contactId, tags.map(({ tag_id }) => tag_id), tags.map(({ lead }) => lead)],
  );
}

/** Deletes some of what removed tags left behind, and answers whether there may be more. */
export async function forgetSomeTags(query: Query, most: number): Promise<boolean> {
  const links = await query(
    `delete from contact_tags where (contact_id, position) in (
       select contact_id, position from contact_tags
       where tag_id in (select id from tags where removed_at is not null) limit $1 for update skip locked)
     returning tag_id`,
    [most],
  );
  if (links.length > 0) return true;
  await query(
    `delete from tags where removed_at is not null
     and not exists (select from contact_tags where contact_tags.tag_id = tags.id)`,
    [],
  );
  return false;
}
