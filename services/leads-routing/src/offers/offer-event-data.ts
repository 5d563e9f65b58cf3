interface OfferFacts {
  readonly id: number;
  readonly lead_id: number;
  readonly user_id: number;
  readonly team_id: number;
}

/** The data of the events about an offer. */
export function offerEventData({ id, lead_id, user_id, team_id }: OfferFacts) {
  return { offer_id: id, lead_id, user_id, team_id };
}
