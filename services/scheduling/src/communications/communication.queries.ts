import { type Query, readModel } from '@crm/data';
import { CommunicationView } from './communication.api.ts';

/** Read only below a contact that the actor was found to see; hence no rule of its own. */
export const communicationRows = readModel(CommunicationView, {
  table: 'communications',
  visible: () => ({}),
  nested: { contact_id: 'communications.contact_id' },
  hidden: { contact_id: { kind: 'integer', sql: 'communications.contact_id' } },
});

/** What a communication of a contact belongs to; nothing where there is none. It never changes. */
export async function belongingOf(query: Query, contactId: number, id: number) {
  const [row] = await query(
    'select campaign_contact_id, campaign_id from communications where id = $1::int and contact_id = $2::int',
    [id, contactId],
  );
  return (
    row && { campaign_contact_id: Number(row.campaign_contact_id), campaign_id: Number(row.campaign_id) }
  );
}
