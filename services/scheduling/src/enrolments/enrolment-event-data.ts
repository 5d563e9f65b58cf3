import type { Enrolment } from './enrolment.queries.ts';

/** What events tell of an enrolment. */
export function enrolmentEventData({ campaign_contact_id, campaign_id, contact_id, user_id }: Enrolment) {
  return { campaign_contact_id, campaign_id, contact_id, user_id };
}

/** An enrolment as an aggregate: made once, in version 1, and removed at most once. */
export const enrolmentAggregate = ({ campaign_contact_id }: Enrolment) => ({
  id: campaign_contact_id,
  version: 1,
});
