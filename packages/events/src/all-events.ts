import { campaignsTemplatesEvents } from './campaigns-templates.ts';
import { contactsEvents } from './contacts.ts';
import type { EventType } from './define-event.ts';
import { identityEvents } from './identity.ts';
import { leadsRoutingEvents } from './leads-routing.ts';
import { schedulingEvents } from './scheduling.ts';

/** All domain events: each service comes after those that it calls, with its events in the order of their definition. */
export const allEvents: readonly EventType[] = [
  ...identityEvents,
  ...contactsEvents,
  ...schedulingEvents,
  ...campaignsTemplatesEvents,
  ...leadsRoutingEvents,
];
