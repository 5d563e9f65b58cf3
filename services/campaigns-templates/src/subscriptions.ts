import { bulkOperationCreated, contactRemoved } from '@crm/events';
import { on } from '@crm/messaging';
import { startWhenBulkOperationCreated } from './bulk-enrolments/start-when-bulk-operation-created.ts';
import { removeCampaignContactsWhenContactRemoved } from './campaign-contacts/remove-campaign-contacts-when-contact-removed.ts';

/** The domain events that the service subscribes to. */
export const subscriptions = [
  on(
    bulkOperationCreated,
    'carries out operations that add contacts to a campaign',
    startWhenBulkOperationCreated,
  ),
  on(contactRemoved, 'removes it from all campaigns', removeCampaignContactsWhenContactRemoved),
];
