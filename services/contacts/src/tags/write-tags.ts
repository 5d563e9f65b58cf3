import type { Context } from '@crm/service';
import { knownId } from '../known-id.ts';
import { addTagsOfContacts, type TagOfContact } from './tag.queries.ts';
import { tagIds } from './tag-ids.ts';
import { tagsIn } from './tags-text.ts';

/**
 * The tags of a text in order, locked until the transaction ends; undefined if there is no text to write. They belong to the
 * owner of the contact, whoever writes them, and are added if they are missing.
 */
export async function tagsToWrite(
  ctx: Context,
  ownerId: number,
  text: string | null | undefined,
): Promise<readonly TagOfContact[] | undefined> {
  if (text === undefined) return undefined;
  const pieces = tagsIn(text);
  const ids = await tagIds(
    ctx,
    ownerId,
    pieces.map(({ content }) => content),
  );
  return pieces.map(({ content, lead }) => ({ tag_id: knownId(ids.get(content)), lead }));
}

/** Writes the tags of a contact that has none yet. */
export async function addFirstTags(
  ctx: Context,
  contact_id: number,
  tags: readonly TagOfContact[] = [],
): Promise<void> {
  const rows = tags.map((tag, index) => ({ ...tag, contact_id, position: index + 1 }));
  if (rows.length > 0) await addTagsOfContacts(ctx.query, rows);
}
