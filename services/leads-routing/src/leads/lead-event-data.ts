import type { Lead } from './lead.entity.ts';

type Known = Pick<Lead, 'id' | 'creator_user_id' | 'contact_id'>;

/** What is told of a lead by any event about it. */
export function eventData({ id, creator_user_id, contact_id }: Known) {
  return { lead_id: id, creator_user_id, contact_id };
}
