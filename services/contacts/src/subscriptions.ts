import { userCreated } from '@crm/events';
import { on } from '@crm/messaging';
import { addDefaultSourcesWhenUserCreated } from './contact-sources/add-default-sources-when-user-created.ts';

/** What the service listens to, as a table. */
export const subscriptions = [
  on(userCreated, 'gives it the usual contact sources', addDefaultSourcesWhenUserCreated),
];
