import { campaignContactRemoved, campaignRemoved, contactRemoved } from '@crm/events';
import { on } from '@crm/messaging';
import { removeCommunicationsWhenContactRemoved } from './communications/remove-communications-when-contact-removed.ts';
import { stopWhenCampaignContactRemoved } from './enrolments/stop-when-campaign-contact-removed.ts';
import { stopWhenCampaignRemoved } from './enrolments/stop-when-campaign-removed.ts';
import { forgetContactWhenContactRemoved } from './tasks/forget-contact-when-contact-removed.ts';

/** What the service listens to, as a table. */
export const subscriptions = [
  // First, because it waits for what is being made for the contact: its tasks are then there to be found.
  on(contactRemoved, 'removes what campaigns send to it', removeCommunicationsWhenContactRemoved),
  on(contactRemoved, 'takes it off the tasks that named it', forgetContactWhenContactRemoved),
  on(campaignRemoved, 'removes what it had still to send and to have done', stopWhenCampaignRemoved),
  on(
    campaignContactRemoved,
    'removes what the contact had still to get, and what was still to be done',
    stopWhenCampaignContactRemoved,
  ),
];
