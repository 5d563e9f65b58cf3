import { invalidField } from '@crm/contract';
import { staticListExtended } from '@crm/events';
import { type Context, loadForChange, publish } from '@crm/service';
import { StaticList } from './static-list.entity.ts';
import { staticListRows } from './static-list.queries.ts';
import { addToStaticList, lockSeenContacts } from './static-list-contact.queries.ts';

/** Adds contacts to a list, or none of them if one is hidden from the caller. The list is locked meanwhile. */
export async function addContacts(
  ctx: Context,
  listId: number,
  contactIds: readonly number[],
): Promise<void> {
  const { owner_user_id } = await loadForChange(ctx, StaticList, staticListRows, { id: listId });
  const wanted = [...new Set(contactIds)];
  const seen = await lockSeenContacts(ctx.query, ctx.user, wanted);
  const unknown = wanted.filter((id) => !seen.has(id)).map((id) => `'${id}'`);
  if (unknown.length > 0) {
    throw invalidField(
      'contacts_list',
      `${unknown.join(', ')} ${unknown.length > 1 ? 'do' : 'does'} not exist`,
    );
  }
  const { version, added } = await addToStaticList(ctx.query, listId, wanted, ctx.now());
  if (added.length === 0) return;
  const data = { static_list_id: listId, owner_user_id, contact_ids: added };
  publish(ctx, staticListExtended, { id: listId, version }, data);
}
