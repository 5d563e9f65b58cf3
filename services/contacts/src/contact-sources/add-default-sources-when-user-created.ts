import type { userCreated } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { addDefaultSources } from './add-default-sources.ts';

/** A new account gets the sources that most agents use, because clients look them up by name. */
export async function addDefaultSourcesWhenUserCreated({
  em,
  event,
}: Delivery<typeof userCreated>): Promise<void> {
  const at = new Date(event.time);
  await addDefaultSources({ em, requestId: event.requestid, now: () => at }, event.data.user_id);
}
