import { campaignsTemplatesEvents } from './campaigns-templates.ts';
import { contactsEvents } from './contacts.ts';
import type { EventType } from './define-event.ts';
import { identityEvents } from './identity.ts';
import { leadsRoutingEvents } from './leads-routing.ts';
import { schedulingEvents } from './scheduling.ts';

/** All that is said: each service after those that it asks, and the events of each as it defines them. */
export const allEvents: readonly EventType[] = [
  ...identityEvents,
  ...contactsEvents,
  ...schedulingEvents,
  ...campaignsTemplatesEvents,
  ...leadsRoutingEvents,
];
