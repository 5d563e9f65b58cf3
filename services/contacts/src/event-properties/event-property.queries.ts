import { readModel } from '@crm/data';
import { EventPropertyView } from './event-property.api.ts';

/** Read only below an event that the actor was found to see; hence no rule of its own. */
export const eventPropertyRows = readModel(EventPropertyView, {
  table: 'event_properties',
  visible: () => ({}),
});
