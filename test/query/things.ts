import type { Rule } from '@crm/auth';
import type { Condition, FieldKind, Scalar } from '@crm/contract';
import type { Columns } from '@crm/query';
import { compare, isLike } from './values.ts';

/** A record with a field of every kind, a text that ignores case, and lists of ids with an index and without. */
export interface Thing {
  readonly id: number;
  readonly rank: number | null;
  readonly score: number | null;
  readonly open: boolean | null;
  readonly seen_at: string | null;
  readonly local_at: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly shared: readonly number[];
  readonly tagged: readonly number[];
}

export const kinds = {
  id: 'integer',
  rank: 'integer',
  score: 'number',
  open: 'boolean',
  seen_at: 'instant',
  local_at: 'localTime',
  name: 'text',
  email: 'text',
} as const satisfies Record<string, FieldKind>;

export type Field = keyof typeof kinds;
export const fields = Object.keys(kinds) as Field[];

const plain = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, { kind, sql: `things.${name}` }]),
);

export const columns: Columns = {
  ...plain,
  email: {
    kind: 'text',
    sql: 'things.email',
    equals: (values, binds) =>
      `lower(things.email) = any(array(select lower(v) from unnest(${binds.add(values)}::text[]) v))`,
  },
  shared: { kind: 'integer', sql: 'things.shared' },
  labeled: { kind: 'text', sql: 'things.shared::text[]' },
  tagged: {
    kind: 'text',
    sql: 'things.shared::text[]',
    overlaps: (ids, binds) =>
      `exists (select from things_tagged where thing_id = things.id and tag_id::text = any(${binds.add(ids)}::text[]))`,
  },
};

export const tables = `
  create temporary table things (
    id int primary key, rank int, score numeric, open boolean, seen_at timestamptz(3), local_at timestamptz(3), name text, email text,
    shared int[] not null
  );
  create temporary table things_tagged (thing_id int not null, tag_id int not null);`;

export const fill = `
  with thing as (
    insert into things select id, rank, score, open, seen_at, local_at, name, email, shared
    from json_populate_recordset(null::things, $1) returning id
  )
  insert into things_tagged
  select (thing->>'id')::int, tag::int from json_array_elements($1) thing, json_array_elements_text(thing->'tagged') tag`;

/** What a condition means, said a second time and as plainly as can be. */
export function meets(thing: Thing, condition: Condition): boolean {
  if ('any' in condition) return condition.any.some((group) => group.every((one) => meets(thing, one)));
  const field = condition.field as Field;
  const stored = thing[field];
  switch (condition.op) {
    case '$in':
      return condition.value.some((value) => isEqual(field, stored, value));
    case '$nin':
      return !condition.value.some((value) => isEqual(field, stored, value));
    case '$ne':
      return !isEqual(field, stored, condition.value);
    case '$like':
      return stored !== null && isLike(String(stored), String(condition.value));
    case '$lt':
      return stored !== null && compare(stored, condition.value) < 0;
    case '$lte':
      return stored !== null && compare(stored, condition.value) <= 0;
    case '$gt':
      return stored !== null && compare(stored, condition.value) > 0;
    case '$gte':
      return stored !== null && compare(stored, condition.value) >= 0;
  }
}

/** What a rule means. */
export function obeys(thing: Thing, rule: Rule): boolean {
  return Object.entries(rule).every(([field, value]) => {
    if (field === '$or') return (value as readonly Rule[]).some((part) => obeys(thing, part));
    if (typeof value === 'object' && value !== null && '$contains' in value) {
      return value.$contains.every((id) => thing[field as 'shared'].includes(id));
    }
    if (typeof value === 'object' && value !== null && '$overlap' in value) {
      const list = thing[field === 'labeled' ? 'shared' : 'tagged'].map(String);
      return value.$overlap.some((id) => list.includes(id));
    }
    const stored = thing[field as Field];
    return [value].flat().some((one) => isEqual(field as Field, stored, one as Scalar));
  });
}

/** The order of a list: what is missing comes last, or first when the order is turned round; then the id, turned as well. */
export function ordered(things: readonly Thing[], sort: readonly (readonly [string, 1 | -1])[]): Thing[] {
  return things.toSorted((a, b) => {
    for (const [field, direction] of sort) {
      const [left, right] = [a[field as Field], b[field as Field]];
      const order =
        left === null || right === null
          ? Number(left === null) - Number(right === null)
          : compare(left, right);
      if (order !== 0) return order * direction;
    }
    return (a.id - b.id) * (sort.at(-1)?.[1] ?? 1);
  });
}

function isEqual(field: Field, stored: Scalar, value: Scalar): boolean {
  if (stored === null || value === null) return stored === value;
  if (field === 'email') return String(stored).toLowerCase() === String(value).toLowerCase();
  return compare(stored, value) === 0;
}
