import type { Lead } from './lead.entity.ts';

type Known = Pick<Lead, 'id' | 'version' | 'creator_user_id' | 'contact_id'>;

/** What is told of a lead by any event about it. */
export function factOf({ id, version, creator_user_id, contact_id }: Known) {
  return { id, version, data: { lead_id: id, creator_user_id, contact_id } };
}
