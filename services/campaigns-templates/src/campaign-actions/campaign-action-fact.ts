interface Announced {
  readonly id: number;
  readonly version: number;
  readonly campaign_id: number;
}

interface Owned {
  readonly owner_user_id?: number | null | undefined;
}

/** What events tell of an action. A removal is a version of its own, one after the last. */
export function factOf({ id, version, campaign_id }: Announced, { owner_user_id }: Owned, later = 0) {
  return {
    id,
    version: version + later,
    data: { campaign_action_id: id, campaign_id, owner_user_id: owner_user_id ?? null },
  };
}
