interface OfferFacts {
  readonly id: number;
  readonly lead_id: number;
  readonly user_id: number;
  readonly team_id: number;
}

/** The data of the events about an offer, with further fields. */
export function offerEventData<More extends object>(
  { id, lead_id, user_id, team_id }: OfferFacts,
  more: More,
) {
  return { offer_id: id, lead_id, user_id, team_id, ...more };
}
