interface Communication {
  readonly id: number;
  readonly contact_id: number;
  readonly campaign_contact_id: number;
}

/** What domain events contain of a communication: whom it concerns, and nothing of its text. */
export function communicationEventData({ id, contact_id, campaign_contact_id }: Communication) {
  return { communication_id: id, contact_id, campaign_contact_id };
}
