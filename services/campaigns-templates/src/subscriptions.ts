import { contactRemoved } from '@crm/events';
import { on } from '@crm/messaging';
import { removeCampaignContactsWhenContactRemoved } from './campaign-contacts/remove-campaign-contacts-when-contact-removed.ts';

/** The domain events that the service subscribes to. */
export const subscriptions = [
  on(contactRemoved, 'removes it from all campaigns', removeCampaignContactsWhenContactRemoved),
];
