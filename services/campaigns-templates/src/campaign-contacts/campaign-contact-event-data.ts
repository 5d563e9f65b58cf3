interface Announced {
  readonly id: number;
  readonly version: number;
  readonly campaign_id: number;
  readonly user_id: number;
}

/** What events tell of a contact in a campaign. */
export function eventData({ id, campaign_id, user_id }: Announced) {
  return { campaign_contact_id: id, campaign_id, user_id };
}
