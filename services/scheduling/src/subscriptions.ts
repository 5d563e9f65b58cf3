import { campaignContactRemoved, campaignRemoved, contactRemoved } from '@crm/events';
import { on } from '@crm/messaging';
import { removeCommunicationsWhenContactRemoved } from './communications/remove-communications-when-contact-removed.ts';
import { stopWhenCampaignContactRemoved } from './enrolments/stop-when-campaign-contact-removed.ts';
import { stopWhenCampaignRemoved } from './enrolments/stop-when-campaign-removed.ts';
import { forgetContactWhenContactRemoved } from './tasks/forget-contact-when-contact-removed.ts';

/** What the service listens to, as a table. */
export const subscriptions = [
  // First, because it waits for what is being made for the contact: its tasks are then there to be found.
  on(contactRemoved, removeCommunicationsWhenContactRemoved),
  on(contactRemoved, forgetContactWhenContactRemoved),
  on(campaignRemoved, stopWhenCampaignRemoved),
  on(campaignContactRemoved, stopWhenCampaignContactRemoved),
];
