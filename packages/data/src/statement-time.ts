/** How long a statement may run. */
export const maxStatementMs = 5_000;

/**
 * How long a transaction of a service may last, so that its ids and times are visible soon afterwards or never: clients that
 * follow a list read anything younger again (docs/guides/changes.md).
 */
export const maxTransactionMs = 60_000;

/** How long a transaction may wait for its service between two statements. */
export const maxIdleMs = 10_000;

/** While a statement runs, a reachable server sends something within this time. */
export const maxSilenceMs = maxStatementMs + 1_500;
