import type { Enrolment } from './enrolment.queries.ts';

/** What events tell of an enrolment, which is made once and may be removed once. */
export function factOfEnrolment(
  { campaign_contact_id, campaign_id, contact_id, user_id }: Enrolment,
  version: 1 | 2 = 1,
) {
  const data = { campaign_contact_id, campaign_id, contact_id, user_id };
  return { id: campaign_contact_id, version, data };
}
