import { readModel } from '@crm/data';
import { ShareView } from './share.api.ts';

/** Only read for a contact that the actor sees, and therefore without a visibility rule. */
export const shareRows = readModel(ShareView, {
  table: 'contact_shares',
  visible: () => ({}),
  hidden: { contact_id: { kind: 'integer', sql: 'contact_shares.contact_id' } },
});
