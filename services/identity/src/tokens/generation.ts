import { randomInt } from 'node:crypto';

const generations = 2 ** 30;

/**
 * What another token of a sub-account is derived from. Random, because a restored database gives out ids and numbers again
 * that others have had before, and the tokens of those must not work.
 */
export const newGeneration = (): number => randomInt(1, generations);

/** The same in SQL. */
export const anyGeneration = `(1 + floor(random() * ${generations - 1}))::int`;
