import { wrong } from '@crm/contract';
import type { Context } from '@crm/service';
import { tagsTextOf } from './tag.queries.ts';

const maxLength = 508;

/**
 * The text of tags to write to a contact, or undefined if there is nothing to write. Renamed tags may have made the
 * stored text longer than a new one may be, and sending it back unchanged is not an error.
 */
export async function newTags(ctx: Context, contactId: number, sent: string | null | undefined) {
  if (sent === undefined || sent === null || [...sent].length <= maxLength) return sent;
  if (sent === (await tagsTextOf(ctx.query, contactId))) return undefined;
  throw wrong('tags', `must have at most ${maxLength} characters`);
}
