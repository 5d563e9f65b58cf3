import type { User } from './user.entity.ts';

/** What events contain of a user: the id, and nothing personal. */
export function eventData({ id }: User) {
  return { user_id: id };
}
