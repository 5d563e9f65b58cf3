/** The most ids that an operation of a peer accepts at once. */
const mostIds = 1000;

/**
 * Records of a peer by id. Each is asked for once, in portions that the peer accepts, and the peer is not asked when
 * there are no ids. A record that the peer does not have is not in the map.
 */
export async function byIds<Of extends { readonly id: number }>(
  wanted: Iterable<number | null | undefined>,
  ask: (ids: number[]) => Promise<readonly Of[]>,
): Promise<ReadonlyMap<number, Of>> {
  const ids = [...new Set(wanted)].filter((id) => typeof id === 'number');
  const portions = Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, index) =>
    ids.slice(index * mostIds, (index + 1) * mostIds),
  );
  const found = (await Promise.all(portions.map(ask))).flat();
  return new Map(found.map((record) => [record.id, record]));
}
