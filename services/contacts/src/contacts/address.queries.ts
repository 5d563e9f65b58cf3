import { type Query, readModel, throughParent } from '@crm/data';
import { AddressView } from './address-view.api.ts';

export const addressRows = readModel(AddressView, {
  table: 'addresses',
  visible: throughParent,
  hidden: { contact_id: { kind: 'integer', sql: 'addresses.contact_id' } },
});

/**
 * Adds addresses whose words were written with their contacts, so that the trigger does not read them again. If it fails, the
 * setting for the trigger is undone with the transaction or the savepoint.
 */
export async function withWordsWritten(query: Query, add: () => Promise<unknown>): Promise<void> {
  const tellTrigger = (state: string) =>
    query("select set_config('contacts.address_text', $1, true) as state", [state]);
  await Promise.all([tellTrigger('written'), add(), tellTrigger('')]);
}
