import { readModel } from '@crm/data';
import { ShareView } from './share.api.ts';

/** Read only below a contact that the actor was found to see; hence no rule of its own. */
export const shareRows = readModel(ShareView, {
  table: 'contact_shares',
  visible: () => ({}),
  hidden: { contact_id: { kind: 'integer', sql: 'contact_shares.contact_id' } },
});
