import { type Binds, bindPlace, type Place, type SqlKey, sqlOfOrder } from '@crm/query';
import { cursorOf, maxKeyLength, type Position, positionIn } from './cursor.ts';
import type { Query } from './database.ts';
import { arrayText, JsonText } from './read-model.ts';

interface Asked {
  readonly limit: number;
  readonly skip: number;
  /** For those who read page after page: the cursor of the page before, or nothing for the first one. */
  readonly after?: string | undefined;
}

/** Which records of a list are on a page, with the placeholders of their numbers. */
export interface Extent {
  readonly list: string;
  readonly keys: readonly SqlKey[];
  readonly order: string;
  readonly limit: string;
  readonly skip: string;
  /** How many records decide about the page: its own, those before them, and the next one if there is to be a cursor. */
  readonly most: string;
  readonly hasCursor: boolean;
  readonly position: Position | undefined;
  /** The place of the position, with placeholders. */
  readonly after: Place | undefined;
}

/** Throws BadRequest for a cursor of another list or order. */
export function extentOf(list: string, order: readonly SqlKey[], asked: Asked, binds: Binds): Extent {
  const hasCursor = asked.after !== undefined;
  const keys = hasCursor ? order.map(shortened) : order;
  const position = hasCursor ? positionIn(asked.after, { list, keys }) : undefined;
  const limit = `${binds.add(asked.limit)}::int`;
  const skip = position ? '0' : `${binds.add(asked.skip)}::int`;
  return {
    list,
    keys,
    order: sqlOfOrder(keys),
    limit,
    skip,
    most: `${limit}::bigint + ${skip}${hasCursor ? ' + 1' : ''}`,
    hasCursor,
    position,
    after: position && bindPlace(keys, position.place, binds),
  };
}

/** A cursor contains the keys, and no column of texts has an index for their order. */
const shortened = (key: SqlKey): SqlKey =>
  key.kind === 'text' ? { ...key, sql: `left(${key.sql}, ${maxKeyLength})` } : key;

interface Parts {
  /** Queries of a `with` that the others use. */
  readonly prepared?: readonly string[];
  /** SQL for the number of records. */
  readonly total: () => string;
  /** SQL for the fields that are shown. */
  readonly fields: string;
  /** SQL for where the records come from, with their conditions. */
  readonly from: string;
}

/** Reads a page with the number of all records in one statement, and thus from one snapshot. */
export async function readPage(
  query: Query,
  binds: Binds,
  extent: Extent,
  { prepared = [], total, fields, from }: Parts,
): Promise<JsonText> {
  const { list, keys, order, limit, skip, hasCursor, position } = extent;
  const counted = position ? `${binds.add(position.total)}::int` : `(${total()})`;
  const body = (page: string) =>
    `'{"total":' || ${hasCursor ? '(table counted)' : counted} || ',"limit":' || ${limit} || ',"skip":' || ${skip} ` +
    `|| ',"data":' || (select ${arrayText} from (select ${fields} from (${page}) ${list}) o) || '}' as body`;
  const withThe = (queries: readonly string[]) => (queries.length > 0 ? `with ${queries.join(', ')} ` : '');
  if (!hasCursor) {
    const page = `select ${list}.* from ${from} order by ${order} limit ${limit} offset ${skip}`;
    const [row] = await query(`${withThe(prepared)}select ${body(page)}`, binds.values);
    return new JsonText(String(row?.body));
  }
  // With the record behind the page, which says that there is one.
  const page = `select ${list}.*, array[${keys.map(textOf).join(', ')}] as sort_keys
    from ${from} order by ${order} limit ${limit}::bigint + 1 offset ${skip}`;
  const queries = [
    ...prepared,
    `page as materialized (${page})`,
    `counted as materialized (select ${counted} as total)`,
  ];
  const last = `case when (select count(*) from page) > ${limit} then (
    select to_json(sort_keys)::text from page limit 1 offset greatest(${limit} - 1, 0)) end`;
  const [row] = await query(
    `${withThe(queries)}select ${body(`select * from page limit ${limit}`)}, (table counted) as total, ${last} as last`,
    binds.values,
  );
  return withCursor(extent, row ?? {});
}

/** The value of a key as a text that means the same wherever it is read. */
function textOf({ sql, kind }: SqlKey): string {
  const isMoment = kind === 'instant' || kind === 'localTime';
  return isMoment ? `to_char(${sql}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : `(${sql})::text`;
}

/** Adds where to read on; null at the end of the list. A page without records leads nowhere. */
function withCursor(extent: Extent, { body, total, last }: Readonly<Record<string, unknown>>): JsonText {
  const isEmpty = String(body).endsWith('"data":[]}');
  const next =
    typeof last === 'string' && !isEmpty
      ? cursorOf(extent, { place: JSON.parse(last) as Place, total: Number(total) })
      : null;
  return new JsonText(`${String(body).slice(0, -1)},"next":${JSON.stringify(next)}}`);
}
