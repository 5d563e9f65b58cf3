/** For how long a statement may run. */
export const maxStatementMs = 5_000;

/**
 * For how long a transaction of a service may last, so that what it has numbered and dated is stored soon after or never: those
 * who follow a list read again what is younger (docs/guides/changes.md).
 */
export const maxTransactionMs = 60_000;

/** While a statement runs, a server that can be reached says something by then. */
export const maxSilenceMs = maxStatementMs + 1_500;
