import { tagChanged, tagRemoved } from '@crm/events';
import { answerWith, findPage, flushOr, getRecord, implement, loadForChange, publish } from '@crm/service';
import { knownId } from '../known-id.ts';
import { tagApi, tagExists } from './tag.api.ts';
import { Tag } from './tag.entity.ts';
import { tagRows } from './tag.queries.ts';
import { tagIds } from './tag-ids.ts';

export const tagHandlers = implement(tagApi, {
  find: (ctx, input) => findPage(ctx, tagRows, input),

  get: (ctx, input) => getRecord(ctx, tagRows, input),

  create: async (ctx, { content }) => {
    const ids = await tagIds(ctx, ctx.user.id, [content]);
    return answerWith(ctx, tagRows, knownId(ids.get(content)));
  },

  patch: async (ctx, { id, $where, content }) => {
    const tag = await loadForChange(ctx, Tag, tagRows, { id, $where });
    if (content !== undefined) tag.content = content;
    await flushOr(ctx, {
      tags_user_content: () => tagExists({ errors: { content: `"${content}" already exists` } }),
    });
    publish(ctx, tagChanged, tag, eventData(tag));
    return answerWith(ctx, tagRows, id);
  },

  // Contacts no longer show it at once; the rows that link it to them, however many, are deleted later.
  remove: async (ctx, { id, $where }) => {
    const tag = await loadForChange(ctx, Tag, tagRows, { id, $where });
    const removed = await answerWith(ctx, tagRows, id);
    tag.removed_at = ctx.now();
    await ctx.em.flush();
    publish(ctx, tagRemoved, tag, eventData(tag));
    return removed;
  },
});

function eventData({ id, user_id }: Tag) {
  return { tag_id: id, user_id };
}
