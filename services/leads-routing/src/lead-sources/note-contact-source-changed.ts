import { queryIn } from '@crm/data';
import type { contactSourceChanged, contactSourceCreated, contactSourceRemoved } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { noteContactSources } from './note-contact-sources.ts';

type Changed = Delivery<z.output<(typeof contactSourceCreated | typeof contactSourceChanged)['data']>>;
type Removed = Delivery<z.output<(typeof contactSourceRemoved)['data']>>;

/** Leads come from the same sources as contacts. */
export const noteContactSourceChanged = (delivery: Changed): Promise<void> => note(delivery, false);

export const noteContactSourceRemoved = (delivery: Removed): Promise<void> => note(delivery, true);

async function note({ em, event }: Changed, is_removed: boolean): Promise<void> {
  const { contact_source_id: id, user_id, name } = event.data;
  const version = event.aggregateversion;
  await noteContactSources(queryIn(em), user_id, [{ id, name, version, is_removed }]);
}
