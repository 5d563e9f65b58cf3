/** A message that no provider begins to receive within this time is not sent. */
export const startMs = 3_000;
