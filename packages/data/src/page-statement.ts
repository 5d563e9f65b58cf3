import { type Binds, bindPlace, type Placed, type PlaceInOrder, type SqlKey, sqlOfOrder } from '@crm/query';
import { cursorOf, maxKeyLength, positionIn } from './cursor.ts';
import type { Query, Row } from './query.ts';
import { JsonText } from './read-model.ts';

interface PageRange {
  readonly limit: number;
  readonly skip: number;
  /** For clients that read page after page: the cursor of the previous page, or nothing for the first one. */
  readonly after?: string | undefined;
}

/** Which records of a list are on a page, with the placeholders of their numbers. */
export interface Extent {
  readonly list: string;
  readonly range: PageRange;
  readonly keys: readonly SqlKey[];
  readonly order: string;
  readonly limit: string;
  /** SQL that selects the page, with the next record if there will be a cursor, from all records in its order. */
  readonly cut: string;
  /** How many records determine the page: its own, those before them, and the next one if there will be a cursor. */
  readonly most: string;
  /** The total that the cursor has. */
  readonly knownTotal: number | undefined;
  /** The keys with the values that the cursor has, as placeholders. */
  readonly after: readonly Placed<SqlKey>[] | undefined;
}

/** Throws BadRequest for a cursor of another list or order. */
export function extentOf(list: string, order: readonly SqlKey[], range: PageRange, binds: Binds): Extent {
  const keys = range.after === undefined ? order : order.map(shortened);
  const position = range.after === undefined ? undefined : positionIn(range.after, { list, keys });
  const limit = `${binds.add(range.limit)}::int`;
  const skip = `${binds.add(range.skip)}::int`;
  return {
    list,
    range,
    keys,
    order: sqlOfOrder(keys),
    limit,
    cut: `limit ${limit}${range.after === undefined ? '' : '::bigint + 1'} offset ${skip}`,
    most: `${limit}::bigint + ${skip}${range.after === undefined ? '' : ' + 1'}`,
    knownTotal: position?.total,
    after: position && bindPlace(keys, position.place, binds),
  };
}

/** Cut, so that a cursor fits into a URL. No index is lost, because none has the order of texts. */
const shortened = (key: SqlKey): SqlKey =>
  key.kind === 'text' ? { ...key, sql: `left(${key.sql}, ${maxKeyLength})` } : key;

interface Parts {
  /** Queries of a `with` that the others use. */
  readonly prepared?: readonly string[];
  /** SQL for the number of records. */
  readonly total: () => string;
  /** What is read of each record. */
  readonly shown: Shown;
  /** SQL for where the records come from, with their conditions. */
  readonly from: string;
  /** Whether these are those of the page alone. */
  readonly isCut: boolean;
}

/** SQL for the fields of a record, which are read as JSON, and for a mark that is before the JSON or alone. */
export interface Shown {
  readonly fields?: string;
  readonly mark?: string;
}

export interface Page {
  readonly range: PageRange;
  readonly total: number;
  /** What was read of each record, a line for each. No JSON of records has line breaks. */
  readonly lines: readonly string[];
  /** The next cursor of a list that is read with cursors. */
  readonly next?: string | null;
}

/** SQL for the lines of the records of a query, which has the name of their table. */
export const linesOf = (list: string, query: string, { fields, mark }: Shown): string => {
  const parts = [...(mark === undefined ? [] : [mark]), ...(fields === undefined ? [] : ['to_json(o)'])];
  const record = fields === undefined ? '' : ` cross join lateral (select ${fields}) o`;
  return `(select string_agg(concat_ws(' ', ${parts.join(', ')}), e'\\n') from (${query}) ${list}${record})`;
};

/** Reads a page with the number of all records in one statement, and thus from one snapshot. */
export async function readPage(
  query: Query,
  binds: Binds,
  extent: Extent,
  { prepared = [], total, shown, from, isCut }: Parts,
): Promise<Page> {
  const { list, range, keys, limit, knownTotal } = extent;
  const inOrder = `order by ${extent.order}${isCut ? '' : ` ${extent.cut}`}`;
  const counted = knownTotal === undefined ? `(${total()})` : `${binds.add(knownTotal)}::bigint`;
  // Apart from what surrounds it: PostgreSQL would copy a long text with every part that is put before or behind it.
  const records = (page: string) => `${linesOf(list, page, shown)} as records`;
  const withThe = (queries: readonly string[]) => (queries.length > 0 ? `with ${queries.join(', ')} ` : '');
  if (range.after === undefined) {
    const page = `select ${list}.* from ${from} ${inOrder}`;
    const text = `${withThe(prepared)}select ${counted} as total, ${records(page)}`;
    const [row = {}] = await query(text, binds.values);
    return pageOf(extent, row);
  }
  // With the record behind the page, which says that there is one.
  const page = `select ${list}.*, array[${keys.map(textOf).join(', ')}] as sort_keys
    from ${from} ${inOrder}`;
  const queries = [...prepared, `page as materialized (${page})`];
  const last = `case when (select count(*) from page) > ${limit} then (
    select to_json(sort_keys)::text from page limit 1 offset greatest(${limit} - 1, 0)) end`;
  const read = records(`select * from page limit ${limit}`);
  const text = `${withThe(queries)}select ${counted} as total, ${read}, ${last} as last`;
  const [row = {}] = await query(text, binds.values);
  return pageOf(extent, row, nextOf(extent, row));
}

/** The value of a key as a text that means the same wherever it is read, with the microseconds that clients do not see. */
function textOf({ sql, kind }: SqlKey): string {
  const isMoment = kind === 'instant' || kind === 'localTime';
  return isMoment ? `to_char(${sql}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : `(${sql})::text`;
}

function pageOf({ range }: Extent, { total, records }: Row, next?: string | null): Page {
  const lines = typeof records === 'string' ? records.split('\n') : [];
  return { range, total: Number(total), lines, ...(next !== undefined && { next }) };
}

/** The page as clients get it, with the JSON of its records. */
export function jsonOf({ range, total, next }: Page, records: readonly string[]): JsonText {
  const page = `"total":${total},"limit":${range.limit},"skip":${range.skip},"data":[${records.join(',')}]`;
  return new JsonText(next === undefined ? `{${page}}` : `{${page},"next":${JSON.stringify(next)}}`);
}

/** Where the next page begins; null at the end of the list and for a page without records. */
const nextOf = (extent: Extent, { total, records, last }: Row): string | null =>
  typeof last === 'string' && records !== null
    ? cursorOf(extent, { place: JSON.parse(last) as PlaceInOrder, total: Number(total) })
    : null;
