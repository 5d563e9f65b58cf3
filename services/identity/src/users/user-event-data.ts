import type { User } from './user.entity.ts';

/** What events tell of a user: which one, and nothing about the person. */
export function eventData({ id }: User) {
  return { user_id: id };
}
