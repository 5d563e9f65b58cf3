/**
 * Puts together what has a token in common, directly or through others. What is in different groups can be done
 * in any order; inside a group the order stays.
 */
export function groupsOf<Item>(
  items: readonly Item[],
  tokensOf: (item: Item) => readonly string[],
): readonly Item[][] {
  const groups = new Set<Group<Item>>();
  const byToken = new Map<string, Group<Item>>();
  for (const [place, item] of items.entries()) {
    const group: Group<Item> = { members: [{ place, item }], tokens: tokensOf(item) };
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
  return [...groups].map(({ members }) => members.sort((a, b) => a.place - b.place).map(({ item }) => item));
}

interface Group<Item> {
  readonly members: { readonly place: number; readonly item: Item }[];
  tokens: readonly string[];
}

/** Does the work for every item, so many at once. After a failure no further item is begun, and what is under way ends first. */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
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
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failure) throw failure.error;
}
