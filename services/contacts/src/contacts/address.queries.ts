import { readModel } from '@crm/data';
import { AddressView } from './address-view.api.ts';

/** Only read for a contact that the actor sees, and therefore without a visibility rule. */
export const addressRows = readModel(AddressView, {
  table: 'addresses',
  visible: () => ({}),
  hidden: { contact_id: { kind: 'integer', sql: 'addresses.contact_id' } },
});
