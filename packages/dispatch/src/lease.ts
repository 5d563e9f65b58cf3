/** How long a row belongs to one worker, in SQL. Sending, which starts with a whole lease, cannot take longer. */
export const lease = "interval '60 seconds'";

/** The timeout of a provider: a third of the lease that a row has when it is sent. */
export const providerMs = 20_000;
