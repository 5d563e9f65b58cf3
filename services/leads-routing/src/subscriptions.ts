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
import {
  alertWhenCampaignChanged,
  alertWhenCampaignRemoved,
  alertWhenContactSourceRemoved,
  alertWhenSubAccountRemoved,
  alertWhenTeamRemoved,
} from './route-alerts/alert-when-reference-lost.ts';

/** Its worker looks for texts once an event was handled, in the order in which they came in. */
const wakeTextDecider = async () => {};

/** The domain events that the service subscribes to. */
export const subscriptions = [
  on(defaultSourcesCreated, 'adds lead sources of the same names', noteDefaultSourcesCreated),
  on(contactSourceCreated, 'adds a lead source of the same name', noteContactSourceChanged),
  on(
    contactSourceChanged,
    'adds a lead source of the new name; removes the one of the old name unless a route or a lead names it',
    noteContactSourceChanged,
  ),
  on(
    contactSourceRemoved,
    'removes the lead source of the name unless a route or a lead names it; alerts the creator of a route that names it, unless the creator has removed it',
    async (delivery) => {
      await noteContactSourceRemoved(delivery);
      await alertWhenContactSourceRemoved(delivery);
    },
  ),
  on(
    teamChanged,
    'clears the minutes of its distribution options if it orders by rank',
    clearMinutesWhenTeamChanged,
  ),
  on(
    teamRemoved,
    'removes its distribution options; alerts the creator of a route that names it, unless the creator has removed it',
    async (delivery) => {
      await removeOptionsWhenTeamRemoved(delivery);
      await alertWhenTeamRemoved(delivery);
    },
  ),
  on(
    campaignRemoved,
    'alerts the creators of routes that name it, unless they have removed it',
    alertWhenCampaignRemoved,
  ),
  on(
    campaignChanged,
    'alerts the creators of routes that name it and may no longer use it',
    alertWhenCampaignChanged,
  ),
  on(
    subAccountRemoved,
    'alerts the user of routes that name what the broker has shared, unless the user has left the broker',
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
  on(inboundTextReceived, 'decides whether it claims a lead', wakeTextDecider),
];
