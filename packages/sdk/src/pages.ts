interface Page {
  readonly limit: number;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

type Query = Readonly<Record<string, unknown>>;

const pageSize = 200;

/**
 * Every record of a list, page by page. Unless the caller wants an order, or a search has one, records come by id and each
 * page begins after the last record, so that none is left out or repeated while others are added and removed.
 */
export async function* allRecords(query: Query, pageOf: (query: Query) => Promise<Page>) {
  const isById = ['$sort', '$skip', '$search', '$select', 'id'].every((name) => query[name] === undefined);
  let rest: Query = isById ? { $sort: { id: 1 } } : {};
  for (let skip = Number(query.$skip ?? 0); ; ) {
    const { data, limit } = await pageOf({ $limit: pageSize, ...query, ...rest });
    yield* data;
    const last = data.at(-1);
    if (!last || data.length < limit) return;
    skip += data.length;
    rest = isById ? { $sort: { id: 1 }, id: { $gt: last.id } } : { $skip: skip };
  }
}
