import { queryIn } from '@crm/data';
import type {
  contactSourceChanged,
  contactSourceCreated,
  contactSourceRemoved,
  defaultSourcesCreated,
} from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { noteContactSources } from './note-contact-sources.ts';

type Changed = Delivery<typeof contactSourceCreated | typeof contactSourceChanged>;
type Removed = Delivery<typeof contactSourceRemoved>;

/** Adds the first version of each source in one transaction, so that lead sources have the same order as contact sources. */
export async function noteDefaultSourcesCreated({
  em,
  event,
}: Delivery<typeof defaultSourcesCreated>): Promise<void> {
  const { user_id, sources } = event.data;
  const facts = sources.map(({ contact_source_id, name }) => ({ id: contact_source_id, name, version: 1 }));
  await noteContactSources(queryIn(em), user_id, facts);
}

/** Keeps lead sources in step with contact sources. */
export const noteContactSourceChanged = (delivery: Changed): Promise<void> => note(delivery, false);

export const noteContactSourceRemoved = (delivery: Removed): Promise<void> => note(delivery, true);

async function note({ em, event }: Changed, is_removed: boolean): Promise<void> {
  const { contact_source_id: id, user_id, name } = event.data;
  const version = event.aggregateversion;
  await noteContactSources(queryIn(em), user_id, [{ id, name, version, is_removed }]);
}
