/**
 * The ids of leads that wait for a worker, found in portions after the last of the one before: one that stays holds up
 * none behind it.
 */
export async function* inPortions(find: (after: number) => Promise<readonly number[]>) {
  for (let ids = await find(0); ids.length > 0; ids = await find(ids.at(-1) ?? 0)) yield* ids;
}
