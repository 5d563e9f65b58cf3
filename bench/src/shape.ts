export const shapes = ['one', 'processes'] as const;

/** How our system runs: in one process, or each service in its own. */
export type Shape = (typeof shapes)[number];
