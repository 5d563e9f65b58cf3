import type { Application } from './application.entity.ts';

/** A removal is a version of its own, one after the last. */
export function factOf({ id, version, owner_user_id }: Application, later = 0) {
  return { id, version: version + later, data: { application_id: id, owner_user_id } };
}
