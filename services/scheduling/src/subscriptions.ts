import {
  campaignContactRemoved,
  campaignRemoved,
  consentChanged,
  contactRemoved,
  optOutChanged,
} from '@crm/events';
import { on } from '@crm/messaging';
import { removeCommunicationsWhenContactRemoved } from './communications/remove-communications-when-contact-removed.ts';
import { stopWhenCampaignContactRemoved } from './enrolments/stop-when-campaign-contact-removed.ts';
import { stopWhenCampaignRemoved } from './enrolments/stop-when-campaign-removed.ts';
import { noteOptOutChanged } from './opt-outs/note-opt-out-changed.ts';
import { forgetContactWhenContactRemoved } from './tasks/forget-contact-when-contact-removed.ts';

/** The domain events that the service subscribes to. */
export const subscriptions = [
  // First, because it waits for enrolments and tasks of the contact in progress, which the next one then finds.
  on(contactRemoved, 'removes its communications', removeCommunicationsWhenContactRemoved),
  on(contactRemoved, 'clears it from its tasks', forgetContactWhenContactRemoved),
  on(optOutChanged, 'checks consent again before sending to these contacts', noteOptOutChanged),
  on(consentChanged, 'checks consent again before sending to these contacts', noteOptOutChanged),
  on(campaignRemoved, 'removes its unsent communications and open tasks', stopWhenCampaignRemoved),
  on(
    campaignContactRemoved,
    "removes the contact's unsent communications and open tasks",
    stopWhenCampaignContactRemoved,
  ),
];
