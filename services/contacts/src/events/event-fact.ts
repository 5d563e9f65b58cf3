import type { Event } from './event.entity.ts';

/** What is told of an event: whom it concerns, and nothing of what happened. */
export function factOf<More extends object>({ id, contact_id, user_id }: Event, version: number, more: More) {
  return { id, version, data: { event_id: id, contact_id, user_id, ...more } };
}
