/** Another one for each run, so that runs add up; printed with each failure. `TEST_SEED` repeats a run. */
export const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
