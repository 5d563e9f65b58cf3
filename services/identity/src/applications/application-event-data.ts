import type { Application } from './application.entity.ts';

export function eventData({ id, owner_user_id }: Application) {
  return { application_id: id, owner_user_id };
}
