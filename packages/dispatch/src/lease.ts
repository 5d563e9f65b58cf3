/** How long a row belongs to one worker, in SQL. A send starts with a whole lease and cannot take longer. */
export const lease = "interval '60 seconds'";

/** How long a worker tries to store the outcome of a row that it leased or checked: a little less than the lease. */
export const settleMs = 55_000;

/**
 * How long a worker tries to undo a final check that may or may not have been committed. Only this worker knows that nothing was
 * sent, even after the lease.
 */
export const takeBackMs = 600_000;

/** The timeout of a provider: a third of the lease that a row has when it is sent. */
export const providerMs = 20_000;

/**
 * The timeout of the mail server, which may delay an e-mail for long and examine it for long before accepting it. It leaves
 * enough of the lease to store the outcome. When an e-mail is checked again after a delay, its lease and this timeout start
 * again.
 */
export const emailMs = 45_000;

/** Facts from other services that are older than this are loaded again. */
export const factsMs = 5_000;

/**
 * How long after the final check a row may still be sent to a provider. The provider starts within another three seconds, or an
 * e-mail is checked again, so that nothing is sent more than five seconds after its check.
 */
export const checkedMs = 2_000;
