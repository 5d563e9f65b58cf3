import type { User } from '@crm/auth';
import { filterOfVisible, type Query, queryRows, readModel, throughParent } from '@crm/data';
import { all, Binds } from '@crm/query';
import { contactRows } from '../contacts/contact.queries.ts';
import { ShareView, shareApi } from './share.api.ts';

export const shareRows = readModel(ShareView, {
  table: 'contact_shares',
  visible: throughParent,
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
