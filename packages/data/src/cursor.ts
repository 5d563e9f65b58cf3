import { type FieldKind, invalidField, isStorable, readInstant } from '@crm/contract';
import type { PlaceInOrder, SortKey } from '@crm/query';

/** How far a list has been read. */
export interface Position {
  readonly place: PlaceInOrder;
  /** How many records there were when the first page was read. */
  readonly total: number;
}

/** What a cursor belongs to: the name of the list, and the order of its records. */
interface Walk {
  readonly list: string;
  readonly keys: readonly SortKey[];
}

/** Longer texts would make a cursor that does not fit into a URL. */
export const maxKeyLength = 500;

/** The text that a client sends to get the page after a position. */
export const cursorOf = ({ list, keys }: Walk, { place, total }: Position): string =>
  Buffer.from(JSON.stringify([list, orderOf(keys), total, ...place])).toString('base64url');

/** The position in a cursor; undefined for the beginning. Throws BadRequest for the cursor of another list or order. */
export function positionIn(cursor: string, { list, keys }: Walk): Position | undefined {
  if (cursor === '') return undefined;
  const [ofList, order, total, ...place] = readCursor(cursor);
  if (ofList !== list || typeof order !== 'string') throw unreadable();
  if (order !== orderOf(keys)) throw invalidField('$after', `is from a list in the order ${order}; ${begin}`);
  const isPlace =
    place.length === keys.length && keys.every(({ name, kind }, at) => isKey(place[at], name, kind));
  if (!isPlace || !isCount(total)) throw unreadable();
  return { place: place as PlaceInOrder, total };
}

const begin = 'send the same $sort as with the first page, or an empty $after to begin again';

const unreadable = () =>
  invalidField('$after', 'must be "next" of the previous page of the same list, or empty for the first page');

const orderOf = (keys: readonly SortKey[]): string =>
  keys.map(({ name, direction }) => (direction === 1 ? name : `-${name}`)).join(',');

function readCursor(cursor: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Whether PostgreSQL accepts a value for a key: a client may have made it. */
const isKey = (value: unknown, name: string, kind: FieldKind): boolean =>
  value === null ? name !== 'id' : typeof value === 'string' && isOfKind[kind](value);

/**
 * PostgreSQL does not accept every offset and every leap second that ISO 8601 allows, so none but the form that a cursor is given
 * is accepted.
 */
const isInstant = (value: string) =>
  /^.{10}T.{6}[0-5]\d\.(\d{3}|\d{6})Z$/.test(value) && readInstant(value) !== undefined;

/** A number of PostgreSQL, unless it is too large or too small for `double precision`. */
const isNumber = (value: string) =>
  /^-?\d{1,40}(\.\d{1,40})?(e[+-]?\d{1,3})?$/i.test(value) &&
  Number.isFinite(Number(value)) &&
  (Number(value) !== 0 || !/[1-9].*e/i.test(value));

const isInteger = (value: string) => /^-?\d{1,18}$/.test(value);

const isOfKind: Readonly<Record<FieldKind, (value: string) => boolean>> = {
  integer: isInteger,
  number: isNumber,
  boolean: (value) => value === 'true' || value === 'false',
  instant: isInstant,
  localTime: isInstant,
  duration: isInteger,
  text: (value) => [...value].length <= maxKeyLength && isStorable(value),
};
