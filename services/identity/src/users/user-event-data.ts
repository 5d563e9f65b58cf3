import type { User } from './user.entity.ts';

/** The data of the events about a user: the id, and no personal data. */
export function eventData({ id }: User) {
  return { user_id: id };
}
