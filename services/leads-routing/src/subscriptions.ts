import {
  campaignChanged,
  campaignRemoved,
  contactSourceChanged,
  contactSourceCreated,
  contactSourceRemoved,
  defaultSourcesCreated,
  inboundTextReceived,
  subAccountRemoved,
  teamChanged,
  teamMemberAnswered,
  teamMemberRemoved,
  teamRemoved,
  userDisabled,
} from '@crm/events';
import { on } from '@crm/messaging';
import { clearMinutesWhenTeamChanged } from './distribution-options/clear-minutes-when-team-changed.ts';
import {
  removeOptionWhenMemberDeclined,
  removeOptionWhenMemberRemoved,
} from './distribution-options/remove-option-when-member-left.ts';
import { removeOptionsWhenTeamRemoved } from './distribution-options/remove-options-when-team-removed.ts';
import {
  noteContactSourceChanged,
  noteContactSourceRemoved,
  noteDefaultSourcesCreated,
} from './lead-sources/note-contact-source-changed.ts';
import { withdrawOffersWhenUserDisabled } from './offers/withdraw-offers-when-user-disabled.ts';
import {
  alertWhenCampaignChanged,
  alertWhenCampaignRemoved,
  alertWhenContactSourceRemoved,
  alertWhenSubAccountRemoved,
  alertWhenTeamRemoved,
} from './route-alerts/alert-when-reference-lost.ts';

/**
 * Does nothing itself: the worker that decides about texts runs after each handled event, and takes texts in the order
 * in which they came in.
 */
const wakeTextDecider = async () => {};

/** The domain events that the service subscribes to. */
export const subscriptions = [
  on(defaultSourcesCreated, 'adds lead sources with the same names', noteDefaultSourcesCreated),
  on(contactSourceCreated, 'adds a lead source with the same name', noteContactSourceChanged),
  on(
    contactSourceChanged,
    'adds a lead source with the new name; removes the one with the old name unless a route or a lead refers to it',
    noteContactSourceChanged,
  ),
  on(
    contactSourceRemoved,
    'removes the lead source with this name unless a route or a lead refers to it; alerts the creators of routes that refer to the contact source, unless they removed it',
    async (delivery) => {
      await noteContactSourceRemoved(delivery);
      await alertWhenContactSourceRemoved(delivery);
    },
  ),
  on(
    teamChanged,
    'clears the minutes of its distribution options if its order is by rank',
    clearMinutesWhenTeamChanged,
  ),
  on(
    teamRemoved,
    'removes its distribution options; alerts the creators of routes that refer to it, unless they removed it',
    async (delivery) => {
      await removeOptionsWhenTeamRemoved(delivery);
      await alertWhenTeamRemoved(delivery);
    },
  ),
  on(
    campaignRemoved,
    'alerts the creators of routes that refer to it, unless they removed it',
    alertWhenCampaignRemoved,
  ),
  on(
    campaignChanged,
    'alerts the creators of routes that refer to it and may no longer use it',
    alertWhenCampaignChanged,
  ),
  on(
    subAccountRemoved,
    'alerts the user of routes that refer to what the broker shared, unless the user left the broker',
    alertWhenSubAccountRemoved,
  ),
  on(
    teamMemberAnswered,
    "removes the member's distribution option unless the invitation was accepted",
    removeOptionWhenMemberDeclined,
  ),
  on(
    teamMemberRemoved,
    'removes the distribution option of the user who left',
    removeOptionWhenMemberRemoved,
  ),
  on(
    userDisabled,
    'makes the offers of this user void, so that the next members have their turn',
    withdrawOffersWhenUserDisabled,
  ),
  on(inboundTextReceived, 'decides whether it claims a lead', wakeTextDecider),
];
