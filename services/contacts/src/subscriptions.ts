import { communicationDispatched, delegationEnded, userCreated } from '@crm/events';
import { on, onAll } from '@crm/messaging';
import { addDefaultSourcesWhenUserCreated } from './contact-sources/add-default-sources-when-user-created.ts';
import { noteMessagesWhenCommunicationsDispatched } from './contacts/note-messages-when-communications-dispatched.ts';
import { undoWhenDelegationEnded } from './shares/undo-when-delegation-ended.ts';

/** The domain events that the service subscribes to. */
export const subscriptions = [
  onAll(
    communicationDispatched,
    'updates the last activity of the contact',
    noteMessagesWhenCommunicationsDispatched,
  ),
  on(
    delegationEnded,
    "undoes the broker's shares and assignments in the user's name",
    undoWhenDelegationEnded,
  ),
  on(userCreated, 'adds the default contact sources', addDefaultSourcesWhenUserCreated),
];
