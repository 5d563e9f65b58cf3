/**
 * Groups items that have a token in common, directly or through other items. Groups can be processed in any order; the order
 * within a group is kept.
 */
export function groupsOf<Item>(
  items: readonly Item[],
  tokensOf: (item: Item) => readonly string[],
): readonly Item[][] {
  const groups = new Set<Group<Item>>();
  const byToken = new Map<string, Group<Item>>();
  for (const [index, item] of items.entries()) {
    const group: Group<Item> = { members: [{ index, item }], tokens: tokensOf(item) };
    const joined = new Set(
      group.tokens.map((token) => byToken.get(token)).filter((one) => one !== undefined),
    );
    for (const other of joined) {
      groups.delete(other);
      group.members.push(...other.members);
      group.tokens = [...group.tokens, ...other.tokens];
    }
    groups.add(group);
    for (const token of group.tokens) byToken.set(token, group);
  }
  return [...groups].map(({ members }) => members.sort((a, b) => a.index - b.index).map(({ item }) => item));
}

interface Group<Item> {
  readonly members: { readonly index: number; readonly item: Item }[];
  tokens: readonly string[];
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
