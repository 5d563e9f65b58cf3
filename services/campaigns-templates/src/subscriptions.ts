import { contactRemoved } from '@crm/events';
import { on } from '@crm/messaging';
import { removeCampaignContactsWhenContactRemoved } from './campaign-contacts/remove-campaign-contacts-when-contact-removed.ts';

/** What the service listens to, as a table. */
export const subscriptions = [
  on(contactRemoved, 'takes it out of all campaigns', removeCampaignContactsWhenContactRemoved),
];
