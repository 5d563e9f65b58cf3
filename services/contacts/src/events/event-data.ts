import type { Event } from './event.entity.ts';

/** What is told of an event: whom it concerns, and nothing of what happened. */
export function eventData<More extends object>({ id, contact_id, user_id }: Event, more: More) {
  return { event_id: id, contact_id, user_id, ...more };
}
