import type { User } from '@crm/auth';
import { filterOfVisible, type Query, queryRows, readModel } from '@crm/data';
import { all, Binds } from '@crm/query';
import { contactRows } from '../contacts/contact.queries.ts';
import { ShareView, shareApi } from './share.api.ts';

/** Only read for a contact that the actor sees, and therefore without a visibility rule. */
export const shareRows = readModel(ShareView, {
  table: 'contact_shares',
  visible: () => ({}),
  hidden: { contact_id: { kind: 'integer', sql: 'contact_shares.contact_id' } },
});

/** The shares of those of the contacts that the user sees, in the order in which they were made. */
export function sharesOf(query: Query, user: User, ids: readonly number[]) {
  const binds = new Binds();
  const wanted = `contacts.id = any(${binds.add(ids)}::int[])`;
  const visible = filterOfVisible(contactRows, user, binds);
  return queryRows(
    query,
    shareApi.ofContacts.output.element,
    `select contact_id, user_id from contact_shares join contacts on contacts.id = contact_id
     where ${all(wanted, visible)} order by contact_shares.id`,
    binds.values,
  );
}
