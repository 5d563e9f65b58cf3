import { noRecord } from '@crm/contract';
import { staticListReduced } from '@crm/events';
import { type Context, getRecord, loadForChange, publish } from '@crm/service';
import { StaticList } from './static-list.entity.ts';
import { staticListRows } from './static-list.queries.ts';
import { flatContactRows, removeFromStaticList } from './static-list-contact.queries.ts';

/**
 * Removes a contact from a list. A contact that is hidden from the caller is treated like one that is not on the list, as when
 * the list is read.
 */
export async function removeFromList(ctx: Context, listId: number, contactId: number): Promise<void> {
  const { owner_user_id } = await loadForChange(ctx, StaticList, staticListRows, { id: listId });
  await getRecord(ctx, flatContactRows, { id: contactId, $select: ['id'] }, { static_list_id: listId });
  const version = await removeFromStaticList(ctx.query, listId, contactId, ctx.now());
  // The removal of the contact was committed after it was read, and removed it from the list.
  if (version === undefined) throw noRecord(contactId);
  const data = { static_list_id: listId, owner_user_id, contact_ids: [contactId] };
  publish(ctx, staticListReduced, { id: listId, version }, data);
}
