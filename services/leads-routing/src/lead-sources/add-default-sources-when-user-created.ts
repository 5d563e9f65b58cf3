import { defaultSourceNames } from '@crm/contacts/api';
import { queryIn } from '@crm/data';
import type { userCreated } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import type { z } from 'zod';
import { addMissingSources } from './lead-source.queries.ts';

/** A new account finds the origins that most agents have: nobody can add a lead source by itself. */
export async function addDefaultSourcesWhenUserCreated({
  em,
  event,
}: Delivery<z.output<(typeof userCreated)['data']>>): Promise<void> {
  await addMissingSources(queryIn(em), event.data.user_id, defaultSourceNames);
}
