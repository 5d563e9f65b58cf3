import { tagCreated } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { addTags, holdTags } from './tag.queries.ts';

/** The ids of a user's tags by content; those that the user does not have yet are added. */
export async function tagIds(
  ctx: Context,
  userId: number,
  contents: Iterable<string>,
): Promise<Map<string, number>> {
  const wanted = [...new Set(contents)];
  for (;;) {
    const held = await holdTags(ctx.query, userId, wanted);
    const missing = wanted.filter((content) => !held.has(content));
    if (missing.length === 0) return held;
    // One that another request adds at this moment is not ours; it is found in the next turn.
    for (const id of await addTags(ctx.query, userId, missing)) {
      publish(ctx, tagCreated, { id, version: 1 }, { tag_id: id, user_id: userId });
    }
  }
}
