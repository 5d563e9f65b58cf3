interface Communication {
  readonly id: number;
  readonly contact_id: number;
  readonly campaign_contact_id: number;
}

/** The data of a communication in domain events: whom it concerns, but not its text. */
export function communicationEventData({ id, contact_id, campaign_contact_id }: Communication) {
  return { communication_id: id, contact_id, campaign_contact_id };
}
