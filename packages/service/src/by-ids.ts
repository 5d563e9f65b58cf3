import { maxIds } from '@crm/contract';

/**
 * Records of a peer by id. Each id is requested once, in batches of a size that the peer accepts; without ids nothing is
 * requested. Ids unknown to the peer are not in the map.
 */
export async function byIds<Of extends { readonly id: number }>(
  wanted: Iterable<number | null | undefined>,
  ask: (ids: number[]) => Promise<readonly Of[]>,
): Promise<ReadonlyMap<number, Of>> {
  const ids = [...new Set(wanted)].filter((id) => typeof id === 'number');
  const batches = Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, index) =>
    ids.slice(index * maxIds, (index + 1) * maxIds),
  );
  const found = (await Promise.all(batches.map(ask))).flat();
  return new Map(found.map((record) => [record.id, record]));
}
