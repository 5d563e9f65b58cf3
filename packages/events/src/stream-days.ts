/** How many days the streams of NATS keep events. */
export const streamDays = 14;
