/**
 * A different seed for each run, so that runs complement each other; printed with each failure. `TEST_SEED` repeats a run. Turbo
 * does not repeat successful tasks, so its seed depends on the code: the same code would succeed again.
 */
export const seed = Number(process.env.TEST_SEED ?? seedOf(process.env.TURBO_HASH));

function seedOf(hash: string | undefined): number {
  return hash === undefined ? Math.floor(Math.random() * 2 ** 31) : Number.parseInt(hash.slice(0, 7), 16);
}

/** Turbo reuses a success for every later run of the same code, none of which would test the rest in the other shape. */
export const isEachInBoth = process.env.TEST_SHAPES === 'both' || process.env.TURBO_HASH !== undefined;

/**
 * Whether a run tests a thing in the given shape of the system. A fifth of all things are tested in the second shape, in which
 * everything takes longer; each run draws others. `TEST_SHAPES=both` tests everything in both.
 */
export const isInShape = (thing: number, shape: number): boolean =>
  isEachInBoth || ((thing + seed) % 5 === 0) === (shape === 1);
