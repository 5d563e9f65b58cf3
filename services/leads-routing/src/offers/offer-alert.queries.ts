/** The alert of an offer that tells most about whether the user was reached. */
const bestAlert = (sql: string) => `(
  select ${sql} from lead_alerts a where a.offer_id = lead_offers.id and a.kind <> 'Assign'
  order by array_position(array['Done', 'Sending', 'Waiting', 'Unknown', 'Failed', 'Dropped'], a.state::text), a.id
  limit 1
)`;

/** The outcome of the alerts of an offer, in SQL. */
export const offerAlert = {
  alert_state: bestAlert(
    "case a.state when 'Done' then 'Sent' when 'Sending' then 'Waiting' else a.state end",
  ),
  alert_reason: bestAlert('a.reason'),
};
