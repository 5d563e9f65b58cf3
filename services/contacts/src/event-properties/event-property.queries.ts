import { readModel } from '@crm/data';
import { EventPropertyView } from '../events/event-property-view.api.ts';

/** Only read for a contact event that the actor sees, and therefore without a visibility rule. */
export const eventPropertyRows = readModel(EventPropertyView, {
  table: 'event_properties',
  visible: () => ({}),
});
