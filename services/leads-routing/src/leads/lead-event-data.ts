import type { Lead } from './lead.entity.ts';

type LeadFields = Pick<Lead, 'id' | 'creator_user_id' | 'contact_id'>;

/** The data of every event about a lead. */
export function eventData({ id, creator_user_id, contact_id }: LeadFields) {
  return { lead_id: id, creator_user_id, contact_id };
}
