export interface Page {
  readonly limit: number;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly next?: string | null;
}

export type Query = Readonly<Record<string, unknown>>;

const pageSize = 200;

/**
 * Every record of a list, page by page. Each page begins behind the last record of the one before, so that none is left out or
 * repeated while others are added and removed. They come by id unless the caller wants an order or a search has one: the id
 * never changes.
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
