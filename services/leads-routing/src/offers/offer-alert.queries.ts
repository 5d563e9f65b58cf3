import { shownOutcome } from '@crm/dispatch';

const { state, reason } = shownOutcome('a');

/** The alert of an offer that says most about reaching the user. An alert that is being sent comes before waiting ones. */
const bestAlert = (sql: string) => `(
  select ${sql} from lead_alerts a where a.offer_id = lead_offers.id and a.kind <> 'Assign'
  order by array_position(array['Sent', 'Waiting', 'Unknown', 'Failed', 'Dropped'], (${state})::text), a.state = 'Waiting', a.id
  limit 1
)`;

/** SQL for the outcome of the alerts of an offer. */
export const offerAlert = { alert_state: bestAlert(state), alert_reason: bestAlert(reason) };
