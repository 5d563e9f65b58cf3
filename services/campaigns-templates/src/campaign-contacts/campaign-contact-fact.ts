interface Announced {
  readonly id: number;
  readonly version: number;
  readonly campaign_id: number;
  readonly user_id: number;
}

/** What events tell of a contact in a campaign. A removal is a version of its own, one after the last. */
export function factOf({ id, version, campaign_id, user_id }: Announced, later = 0) {
  return { id, version: version + later, data: { campaign_contact_id: id, campaign_id, user_id } };
}
