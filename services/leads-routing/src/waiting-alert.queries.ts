/** A SQL condition: the alert may be dropped, because it is waiting and cannot have been sent by an earlier attempt. */
export const isWaiting = "lead_alerts.state = 'Waiting' and lead_alerts.doubtful_since is null";

/** Why alerts of a claimed lead are dropped. */
export const leadWasClaimed = 'The lead was claimed.';
