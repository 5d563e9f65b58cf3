/** For how long only one worker may send a row, in SQL. Longer than sending can take, at whose start the lease starts again. */
export const lease = "interval '60 seconds'";

/** The timeout of a provider: a third of the lease that a row has when it is sent. */
export const providerMs = 20_000;
