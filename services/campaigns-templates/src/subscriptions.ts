import { contactRemoved } from '@crm/events';
import { on } from '@crm/messaging';
import { removeCampaignContactsWhenContactRemoved } from './campaign-contacts/remove-campaign-contacts-when-contact-removed.ts';

/** The domain events that the service subscribes to. */
export const subscriptions = [
  on(contactRemoved, 'takes it out of all campaigns', removeCampaignContactsWhenContactRemoved),
];
