interface OfferFacts {
  readonly id: number;
  readonly lead_id: number;
  readonly user_id: number;
  readonly team_id: number;
}

/** What events tell of an offer, and with it whatever more there is to tell. */
export function offerEventData<More extends object>(
  { id, lead_id, user_id, team_id }: OfferFacts,
  more: More,
) {
  return { offer_id: id, lead_id, user_id, team_id, ...more };
}
