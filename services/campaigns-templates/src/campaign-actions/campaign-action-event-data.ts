interface Published {
  readonly id: number;
  readonly campaign_id: number;
}

interface Owned {
  readonly owner_user_id?: number | null | undefined;
}

/** The data of the events about an action. */
export function eventData({ id, campaign_id }: Published, { owner_user_id }: Owned) {
  return { campaign_action_id: id, campaign_id, owner_user_id: owner_user_id ?? null };
}
