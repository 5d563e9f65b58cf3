interface Published {
  readonly id: number;
  readonly version: number;
  readonly campaign_id: number;
  readonly user_id: number;
}

/** The data of the events about a contact in a campaign. */
export function eventData({ id, campaign_id, user_id }: Published) {
  return { campaign_contact_id: id, campaign_id, user_id };
}
