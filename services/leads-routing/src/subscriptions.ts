import {
  contactSourceCreated,
  teamChanged,
  teamMemberAnswered,
  teamMemberRemoved,
  teamRemoved,
  userCreated,
} from '@crm/events';
import { on } from '@crm/messaging';
import { clearMinutesWhenTeamChanged } from './distribution-options/clear-minutes-when-team-changed.ts';
import {
  removeOptionWhenMemberDeclined,
  removeOptionWhenMemberRemoved,
} from './distribution-options/remove-option-when-member-left.ts';
import { removeOptionsWhenTeamRemoved } from './distribution-options/remove-options-when-team-removed.ts';
import { addDefaultSourcesWhenUserCreated } from './lead-sources/add-default-sources-when-user-created.ts';
import { addSourceWhenContactSourceCreated } from './lead-sources/add-source-when-contact-source-created.ts';

/** The domain events that the service subscribes to. */
export const subscriptions = [
  on(userCreated, 'adds the default lead sources', addDefaultSourcesWhenUserCreated),
  on(contactSourceCreated, 'adds a lead source of the same name', addSourceWhenContactSourceCreated),
  on(
    teamChanged,
    'clears the minutes of its distribution options if it orders by rank',
    clearMinutesWhenTeamChanged,
  ),
  on(teamRemoved, 'removes its distribution options', removeOptionsWhenTeamRemoved),
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
];
