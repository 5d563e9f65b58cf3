/** The current time. Passed to everything that needs it, so that tests can set it. */
export type Clock = () => Date;

/** The machine's clock. Nothing else reads it. */
export const machineClock: Clock = () => new Date();
