import { shownOutcome } from '@crm/dispatch';

const { state, reason } = shownOutcome('a');

/**
 * The alert of an offer that tells most about whether the user was reached. One that is being sent comes before others that
 * wait.
 */
const bestAlert = (sql: string) => `(
  select ${sql} from lead_alerts a where a.offer_id = lead_offers.id and a.kind <> 'Assign'
  order by array_position(array['Sent', 'Waiting', 'Unknown', 'Failed', 'Dropped'], (${state})::text), a.state = 'Waiting', a.id
  limit 1
)`;

/** The outcome of the alerts of an offer, in SQL. */
export const offerAlert = { alert_state: bestAlert(state), alert_reason: bestAlert(reason) };
