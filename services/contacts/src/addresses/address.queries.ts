import { readModel } from '@crm/data';
import { AddressView } from './address.api.ts';

/** Read only below a contact that the actor was found to see; hence no rule of its own. */
export const addressRows = readModel(AddressView, {
  table: 'addresses',
  visible: () => ({}),
  hidden: { contact_id: { kind: 'integer', sql: 'addresses.contact_id' } },
});
