/** SQL for a time longer than a request takes. One that needs the members of a team has read them before its transaction. */
export const requestTime = "interval '1 minute'";
