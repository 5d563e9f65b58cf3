import type { ContactEvent } from './event.entity.ts';

/** The data of the domain events about a contact event: only ids, nothing about what happened. */
export function activityData<More extends object>({ id, contact_id, user_id }: ContactEvent, more: More) {
  return { event_id: id, contact_id, user_id, ...more };
}
