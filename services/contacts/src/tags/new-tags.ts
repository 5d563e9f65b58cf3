import { invalidField } from '@crm/contract';
import type { Context } from '@crm/service';
import { maxTagsLength } from './tag.api.ts';
import { tagsTextOf } from './tag.queries.ts';

/**
 * The text of tags to write to a contact, or undefined if there is nothing to write. Renamed tags may have made the
 * stored text longer than a new one may be, and sending it back unchanged is not an error.
 */
export async function newTags(ctx: Context, contactId: number, sent: string | null | undefined) {
  if (sent === undefined || sent === null || [...sent].length <= maxTagsLength) return sent;
  if (sent === (await tagsTextOf(ctx.query, contactId))) return undefined;
  throw invalidField('tags', `must have at most ${maxTagsLength} characters`);
}
