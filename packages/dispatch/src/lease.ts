/** How long a row belongs to one worker, in SQL. Sending, which starts with a whole lease, cannot take longer. */
export const lease = "interval '60 seconds'";

/** How long a worker may try to store the outcome of a row that it leased or checked: a little less than the lease. */
export const settleMs = 55_000;

/**
 * How long a worker may try to take back a final check of which it does not know whether it was committed. Only it knows that
 * nothing was sent, also after the lease.
 */
export const takeBackMs = 600_000;

/** The timeout of a provider: a third of the lease that a row has when it is sent. */
export const providerMs = 20_000;

/**
 * That of the mail server, which may let an e-mail wait for long, and examine it for long before it accepts it: as long as its
 * outcome can be stored. When it is checked again after waiting, its lease starts again, and this does too.
 */
export const emailMs = 45_000;

/** What other services know about a row is asked again if it is older than this. */
export const factsMs = 5_000;

/**
 * How long after the final check a row is still sent to a provider. The provider starts within another three seconds, or an
 * e-mail is checked again, so that nothing is sent more than five seconds after it was checked.
 */
export const checkedMs = 2_000;
