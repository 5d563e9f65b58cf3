export interface Page {
  readonly limit: number;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly next?: string | null;
}

export type Query = Readonly<Record<string, unknown>>;

const pageSize = 200;

/**
 * Every record of a list, page by page. Each page starts after the last record of the previous one, so that none is skipped or
 * repeated while others are added and removed. They are ordered by id, which never changes, unless the caller requests an order
 * or a search has its own.
 */
export async function* allRecords(query: Query, pageOf: (query: Query) => Promise<Page>) {
  const isById = ['$sort', '$skip', '$search'].every((name) => query[name] === undefined);
  const asked = { $limit: pageSize, ...(isById && { $sort: { id: 1 } }), ...query };
  let page = await pageOf({ $after: '', ...asked });
  yield* page.data;
  while (typeof page.next === 'string') {
    page = await pageOf({ ...asked, $skip: undefined, $after: page.next });
    yield* page.data;
  }
}
