/**
 * The ids of leads that wait for a worker. Each portion starts after the last id of the previous one, so that a lead
 * that keeps failing does not hold up those behind it.
 */
export async function* inPortions(find: (after: number) => Promise<readonly number[]>) {
  for (let ids = await find(0); ids.length > 0; ids = await find(ids.at(-1) ?? 0)) yield* ids;
}
