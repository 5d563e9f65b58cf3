import { invalidField } from '@crm/contract';
import type { Context } from '@crm/service';
import { maxTagsLength } from './tag.api.ts';
import { tagsTextOf } from './tag.queries.ts';
import { tagsIn } from './tags-text.ts';

/**
 * The text of tags to write to a contact, or undefined if there is nothing to write. Renamed tags may have made the stored text
 * longer than a new one may be; neither sending it back unchanged nor removing tags from it is an error.
 */
export async function newTags(
  ctx: Pick<Context, 'query'>,
  contactId: number,
  sent: string | null | undefined,
) {
  if (sent === undefined || sent === null || [...sent].length <= maxTagsLength) return sent;
  const stored = (await tagsTextOf(ctx.query, contactId)) ?? null;
  if (sent === stored) return undefined;
  const known = new Set(tagsIn(stored).map(({ content }) => content));
  const isShorter = sent.length < (stored?.length ?? 0);
  if (isShorter && tagsIn(sent).every(({ content }) => known.has(content))) return sent;
  throw invalidField('tags', `must have at most ${maxTagsLength} characters`);
}
