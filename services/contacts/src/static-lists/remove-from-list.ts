import { noRecord } from '@crm/contract';
import { staticListReduced } from '@crm/events';
import { type Context, getRecord, loadForChange, publish } from '@crm/service';
import { StaticList } from './static-list.entity.ts';
import { staticListRows } from './static-list.queries.ts';
import { flatContactRows, removeFromStaticList } from './static-list-contact.queries.ts';

/**
 * Removes a contact from a list. One that is hidden from the caller is as missing as one that is not on the list, which
 * is what a read of the list shows.
 */
export async function removeFromList(ctx: Context, listId: number, contactId: number): Promise<void> {
  const { owner_user_id } = await loadForChange(ctx, StaticList, staticListRows, { id: listId });
  await getRecord(ctx, flatContactRows, { id: contactId, $select: ['id'] }, { static_list_id: listId });
  const version = await removeFromStaticList(ctx.query, listId, contactId, ctx.now());
  // Its own removal was committed since it was read, and took it from the list.
  if (version === undefined) throw noRecord(contactId);
  const data = { static_list_id: listId, owner_user_id, contact_ids: [contactId] };
  publish(ctx, staticListReduced, { id: listId, version }, data);
}
