/**
 * Divides items into waves, each in the order of the items: an item comes one wave after the last one that has a key in common
 * with it, directly or through others. Items without keys depend on none.
 */
export function wavesOf<Item>(
  items: readonly Item[],
  keysOf: (item: Item) => readonly string[],
  /** Other sets of keys that belong together, such as those of contacts that have the key. */
  linkedBy: (key: string) => Iterable<readonly string[]>,
): readonly Item[][] {
  const groups = groupsOfKeys();
  for (const key of new Set(items.flatMap(keysOf))) for (const keys of linkedBy(key)) groups.join(keys);
  for (const item of items) groups.join(keysOf(item));
  const waves: Item[][] = [];
  const lengths = new Map<string, number>();
  for (const item of items) {
    const [key] = keysOf(item);
    const group = key === undefined ? undefined : groups.of(key);
    const wave = (group !== undefined && lengths.get(group)) || 0;
    if (group !== undefined) lengths.set(group, wave + 1);
    waves[wave] ??= [];
    waves[wave].push(item);
  }
  return waves;
}

/** Groups of keys, each known by one of them. */
function groupsOfKeys() {
  const parents = new Map<string, string>();
  const of = (key: string): string => {
    let root = key;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    // So that the way is short the next time.
    for (let one = key; one !== root; ) {
      const parent = parents.get(one) ?? root;
      parents.set(one, root);
      one = parent;
    }
    return root;
  };
  return {
    of,
    join([first, ...others]: readonly string[]) {
      for (const other of others) {
        const [group, joined] = [of(first ?? other), of(other)];
        if (group !== joined) parents.set(joined, group);
      }
    },
  };
}

/** Processes items with limited concurrency. After a failure no more items are started, and running ones are awaited. */
export async function inParallel<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    while (!failure) {
      const item = items[next++];
      if (item === undefined) return;
      await work(item).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failure) throw failure.error;
}
