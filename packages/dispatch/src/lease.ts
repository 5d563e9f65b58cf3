/** For how long a row is its worker’s alone, in SQL: longer than a hand-over can take, which begins with a whole lease. */
export const lease = "interval '60 seconds'";

/** How long a provider is given: a third of the lease that a row has when it is handed over. */
export const providerMs = 20_000;
