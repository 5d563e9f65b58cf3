import type { Context } from '@crm/service';
import { replaceTags } from './tag.queries.ts';
import { tagIds } from './tag-ids.ts';
import { tagsIn } from './tags-text.ts';

/** Replaces the tags of a contact with those of a text. They belong to the owner of the contact, whoever writes them. */
export async function writeTags(
  ctx: Context,
  { id, owner_user_id }: { readonly id: number; readonly owner_user_id: number },
  text: string | null,
): Promise<void> {
  const pieces = tagsIn(text);
  const contents = pieces.map(({ content }) => content);
  const ids = await tagIds(ctx, owner_user_id, contents);
  const tags = pieces.map(({ content, lead }) => ({ tag_id: ids.get(content) ?? 0, lead }));
  await replaceTags(ctx.query, id, tags);
}
