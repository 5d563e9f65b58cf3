/** An id that no record has. */
export const absent = 2_147_483_000;
