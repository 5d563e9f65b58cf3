/** SQL for whether an alert may be dropped: it waits, and no attempt may have sent it. */
export const isWaiting = "lead_alerts.state = 'Waiting' and lead_alerts.doubtful_since is null";

/** Why alerts of a claimed lead are dropped. */
export const leadWasClaimed = 'The lead was claimed.';
