/** An alert that the provider accepted and could not deliver has failed. */
const isUndelivered = "a.state = 'Done' and a.delivery_state in ('Undelivered', 'Failed')";
const state = `case when ${isUndelivered} then 'Failed' else a.state end`;

/** The alert of an offer that tells most about whether the user was reached. */
const bestAlert = (sql: string) => `(
  select ${sql} from lead_alerts a where a.offer_id = lead_offers.id and a.kind <> 'Assign'
  order by array_position(array['Done', 'Sending', 'Waiting', 'Unknown', 'Failed', 'Dropped'], (${state})::text), a.id
  limit 1
)`;

/** The outcome of the alerts of an offer, in SQL. */
export const offerAlert = {
  alert_state: bestAlert(
    `case ${state} when 'Done' then 'Sent' when 'Sending' then 'Waiting' else ${state} end`,
  ),
  alert_reason: bestAlert(
    `case when ${isUndelivered} then coalesce(a.reason, 'It was not delivered.') else a.reason end`,
  ),
};
