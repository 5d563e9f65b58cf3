import { defaultSourceNames } from '@crm/contacts/api';
import { queryIn } from '@crm/data';
import type { userCreated } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { addMissingSources } from './lead-source.queries.ts';

/** A new account starts with the sources that most agents have, because users cannot add lead sources themselves. */
export async function addDefaultSourcesWhenUserCreated({
  em,
  event,
}: Delivery<z.output<(typeof userCreated)['data']>>): Promise<void> {
  await addMissingSources(queryIn(em), event.data.user_id, defaultSourceNames);
}
