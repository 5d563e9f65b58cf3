import { readModel, throughParent } from '@crm/data';
import { EventPropertyView } from '../events/event-property-view.api.ts';

export const eventPropertyRows = readModel(EventPropertyView, {
  table: 'event_properties',
  visible: throughParent,
});
