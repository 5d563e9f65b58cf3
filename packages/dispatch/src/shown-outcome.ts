/** SQL of the outcome of a message as clients see it. A message that the provider accepted but could not deliver has failed. */
export function shownOutcome(row: string) {
  const isUndelivered = `${row}.state = 'Done' and ${row}.delivery_state in ('Undelivered', 'Failed')`;
  return {
    state: `case when ${isUndelivered} then 'Failed' when ${row}.state = 'Done' then 'Sent'
      when ${row}.state = 'Sending' then 'Waiting' else ${row}.state end`,
    reason: `case when ${isUndelivered} then coalesce(${row}.reason, 'It was not delivered.') else ${row}.reason end`,
  };
}
