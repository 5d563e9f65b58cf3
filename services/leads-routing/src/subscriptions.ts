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

/** What the service listens to, as a table. */
export const subscriptions = [
  on(userCreated, addDefaultSourcesWhenUserCreated),
  on(contactSourceCreated, addSourceWhenContactSourceCreated),
  on(teamChanged, clearMinutesWhenTeamChanged),
  on(teamRemoved, removeOptionsWhenTeamRemoved),
  on(teamMemberAnswered, removeOptionWhenMemberDeclined),
  on(teamMemberRemoved, removeOptionWhenMemberRemoved),
];
