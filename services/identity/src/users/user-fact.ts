import type { User } from './user.entity.ts';

/** What events tell of a user: which one, and nothing about the person. */
export function factOf({ id, version }: User) {
  return { id, version, data: { user_id: id } };
}
