/**
 * Another one for each run, so that runs add up; printed with each failure. `TEST_SEED` repeats a run. Turbo, which does
 * not repeat what has succeeded, gets the one that belongs to the code: the same code would succeed again.
 */
export const seed = Number(process.env.TEST_SEED ?? seedOf(process.env.TURBO_HASH));

function seedOf(hash: string | undefined): number {
  return hash === undefined ? Math.floor(Math.random() * 2 ** 31) : Number.parseInt(hash.slice(0, 7), 16);
}

/** Turbo counts a success for every later run of the same code, and none of them would test the rest in the other shape. */
export const isEachInBoth = process.env.TEST_SHAPES === 'both' || process.env.TURBO_HASH !== undefined;

/**
 * Whether a run tests one of several things in the first shape of the system or in the second, where a fifth of them are,
 * because everything takes longer there; each run draws others. `TEST_SHAPES=both` tests everything in both.
 */
export const isInShape = (thing: number, shape: number): boolean =>
  isEachInBoth || ((thing + seed) % 5 === 0) === (shape === 1);
