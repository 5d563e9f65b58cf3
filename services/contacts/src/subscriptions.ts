import { userCreated } from '@crm/events';
import { on } from '@crm/messaging';
import { addDefaultSourcesWhenUserCreated } from './contact-sources/add-default-sources-when-user-created.ts';

/** The domain events that the service subscribes to. */
export const subscriptions = [
  on(userCreated, 'adds the default contact sources', addDefaultSourcesWhenUserCreated),
];
