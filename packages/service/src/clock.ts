/** What time it is. Passed to everything that needs to know, so that a test or a tenant can have a time of its own. */
export type Clock = () => Date;

/** The machine's clock, and the only place that reads it. */
export const machineClock: Clock = () => new Date();
