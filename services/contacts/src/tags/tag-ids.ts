import { tagCreated } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { addTags, lockTags } from './tag.queries.ts';

/** The ids of a user's tags by content. Missing tags are added. */
export async function tagIds(
  ctx: Context,
  userId: number,
  contents: Iterable<string>,
): Promise<Map<string, number>> {
  const wanted = [...new Set(contents)];
  if (wanted.length === 0) return new Map();
  for (;;) {
    const ids = await lockTags(ctx.query, userId, wanted);
    const missing = wanted.filter((content) => !ids.has(content));
    if (missing.length === 0) return ids;
    // A tag that another request adds concurrently is not returned here, but found in the next iteration.
    for (const id of await addTags(ctx.query, userId, missing)) {
      publish(ctx, tagCreated, { id, version: 1 }, { tag_id: id, user_id: userId });
    }
  }
}
