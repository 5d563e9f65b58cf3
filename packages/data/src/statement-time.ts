/** For how long a statement may run. */
export const maxStatementMs = 5_000;

/** While a statement runs, a server that can be reached says something by then. */
export const maxSilenceMs = maxStatementMs + 1_500;
