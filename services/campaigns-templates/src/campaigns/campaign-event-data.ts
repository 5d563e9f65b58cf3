import type { Campaign } from './campaign.entity.ts';

/** The data of the events about a campaign. */
export function eventData({ id, owner_user_id }: Campaign) {
  return { campaign_id: id, owner_user_id: owner_user_id ?? null };
}
