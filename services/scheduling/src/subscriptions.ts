import { contactRemoved } from '@crm/events';
import { on } from '@crm/messaging';
import { forgetContactWhenContactRemoved } from './tasks/forget-contact-when-contact-removed.ts';

/** What the service listens to, as a table. */
export const subscriptions = [on(contactRemoved, forgetContactWhenContactRemoved)];
