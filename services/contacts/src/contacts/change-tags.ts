import { type JsonText, WithId } from '@crm/data';
import { type Context, lockForChange, type Pending } from '@crm/service';
import { tagsTextOf } from '../tags/tag.queries.ts';
import { contactRows } from './contact.queries.ts';
import { patchContact } from './patch-contact.ts';

/** Locks the contact before it reads its tags, so that it does not overwrite concurrent changes. */
export async function changeTags(
  ctx: Context,
  id: number,
  change: (text: string) => string,
): Promise<Pending<JsonText> | undefined> {
  await lockForChange(ctx, contactRows, WithId, { id });
  const text = (await tagsTextOf(ctx.query, id)) ?? '';
  const tags = change(text);
  return tags === text ? undefined : patchContact(ctx, { id, tags: tags === '' ? null : tags });
}
