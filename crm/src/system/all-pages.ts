/** All records of a list, page by page. */
export async function allPages<Item>(
  find: (page: { $limit: number; $skip: number }) => Promise<{ total: number; data: readonly Item[] }>,
): Promise<Item[]> {
  const found: Item[] = [];
  for (;;) {
    const { total, data } = await find({ $limit: 1000, $skip: found.length });
    found.push(...data);
    if (data.length === 0 || found.length >= total) return found;
  }
}
