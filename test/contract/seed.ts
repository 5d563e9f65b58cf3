/**
 * Another one for each run, so that runs add up; printed with each failure. `TEST_SEED` repeats a run. Turbo, which does
 * not repeat what has succeeded, gets the one that belongs to the code: the same code would succeed again.
 */
export const seed = Number(process.env.TEST_SEED ?? seedOf(process.env.TURBO_HASH));

function seedOf(hash: string | undefined): number {
  return hash === undefined ? Math.floor(Math.random() * 2 ** 31) : Number.parseInt(hash.slice(0, 7), 16);
}
