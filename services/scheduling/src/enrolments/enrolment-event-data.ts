import type { Enrolment } from './enrolment.queries.ts';

/** The data of an enrolment in domain events. */
export function enrolmentEventData({ campaign_contact_id, campaign_id, contact_id, user_id }: Enrolment) {
  return { campaign_contact_id, campaign_id, contact_id, user_id };
}

/** An enrolment as an aggregate: created once, in version 1, and removed at most once. */
export const enrolmentAggregate = ({ campaign_contact_id }: Enrolment) => ({
  id: campaign_contact_id,
  version: 1,
});
