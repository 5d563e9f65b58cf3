import { ownersIn, type Rule } from '@crm/auth';
import {
  all,
  type Binds,
  rangeOf,
  rangesAfter,
  type SqlKey,
  sqlOfAfter,
  sqlOfOrder,
  sqlOfRule,
} from '@crm/query';
import type { Extent } from './page-statement.ts';
import type { ReadModel, Totals } from './read-model.ts';

/**
 * How the records that are visible for one reason, and match, are counted and found. A reason is one alternative of the rule of
 * visibility: to own a record, to be assigned to it, to share it.
 */
export interface Reason {
  /** Queries of a `with` that the others use. */
  readonly prepared: readonly string[];
  /** SQL for the number of those that no reason before has counted. */
  readonly total: () => string;
  /** Queries of the sort keys of those that the page may have, and perhaps of others. */
  readonly candidates: readonly string[];
}

/** A list of a model: its conditions in SQL, without visibility, and which records of those that meet them. */
export interface ListStatement {
  readonly model: ReadModel;
  readonly conditions: string;
  readonly extent: Extent;
  readonly binds: Binds;
}

/** How the records of several owners are read: owner by owner, or all in one pass. */
export type Owners = 'each' | 'together';

/**
 * The records of each reason are counted on their own, without those of the reasons before it: an index alone tells how many
 * records an owner has, but not how many have one of two reasons. They are also found on their own. With one query for all
 * reasons the planner may scan the whole table in the order of the page, with the records of all users.
 */
export function reasonsIn(rules: readonly Rule[], list: ListStatement, owners: Owners): Reason[] {
  return rules.map((rule, at) => {
    const notCountedBefore = () => notVisibleFor(rules.slice(0, at), list);
    const owned = ownedIn(rule, list.model);
    return owned
      ? byIndexScan(list, { rule, owned, notCountedBefore, owners })
      : materialized(list, { rule, name: `reason_${at}`, notCountedBefore });
  });
}

/** SQL for whether a record is visible for none of some reasons. */
export const notVisibleFor = (rules: readonly Rule[], list: ListStatement): string =>
  all(...rules.map((rule) => `(${isVisibleFor(rule, list)}) is not true`));

/**
 * SQL for whether a record that was found for another reason is visible for this one. A statement planned for all values compares
 * it with one of many owners after the other, unless they are a set.
 */
function isVisibleFor(rule: Rule, { model, binds }: ListStatement): string {
  const owned = ownedIn(rule, model);
  return owned && owned.ids.length > 1
    ? `${owned.column} in (select unnest(${binds.add(owned.ids)}::int[]))`
    : sqlOfRule(rule, model.columns, binds);
}

/** The owners whose records a rule makes visible, with their column, unless it makes others visible as well. */
export function ownedIn(rule: Rule, { columns }: ReadModel) {
  const owners = ownersIn(rule);
  const column = owners && columns[owners.field]?.sql;
  return owners && typeof column === 'string' ? { column, ids: owners.ids } : undefined;
}

/** An alternative of the rule, with SQL for whether no alternative before has counted a record. */
interface Alternative {
  readonly rule: Rule;
  readonly notCountedBefore: () => string;
}

interface OwnedAlternative extends Alternative {
  readonly owned: NonNullable<ReturnType<typeof ownedIn>>;
  readonly owners: Owners;
}

/**
 * The records of owners, by index scans that end when the page is full: one for each owner and, after a cursor, for each range of
 * the index. They read the sort keys, which the index has.
 *
 * Of conditions on other fields the planner expects few matches for each owner, and would find the same ones of all owners
 * anew for each. So if many match, those of several owners are read in one pass.
 */
function byIndexScan(
  { model, conditions, extent: { keys, after, most }, binds }: ListStatement,
  { rule, owned: { column, ids }, notCountedBefore, owners }: OwnedAlternative,
): Reason {
  const { table, columns } = model;
  const hasOne = ids.length === 1;
  const id = hasOne ? `${binds.add(ids[0])}::int` : 'owners.id';
  const ranges = after ? rangesAfter(after, column, id) : [rangeOf(keys, column, id)];
  const candidates = ranges.map(
    ({ where, order }) =>
      `select ${selectKeys(keys)} from ${table} where ${all(where, conditions)} order by ${order} limit ${most}`,
  );
  const ofEach = () => {
    const each = `unnest(${binds.add(ids)}::int[]) owners (id)`;
    return candidates.map((ofOwner) => `select one.* from ${each} cross join lateral (${ofOwner}) one`);
  };
  const ofAll = () => {
    const matches = `select ${selectKeys(keys)} from ${table} where ${all(sqlOfRule(rule, columns, binds), conditions)}`;
    const isAfterCursor = after ? sqlOfAfter(byName(after)) : 'true';
    // `offset 0` keeps the planner from reading the records of all users in this order.
    return [
      `select * from (${matches} offset 0) matches where ${isAfterCursor} order by ${sqlOfOrder(byName(keys))} limit ${most}`,
    ];
  };
  const ofSeveral = owners === 'together' ? ofAll : ofEach;
  return {
    prepared: [],
    total: () => {
      const others = all(conditions, notCountedBefore());
      return others === 'true' && model.totals && rule[model.totals.owner] !== undefined
        ? sumOf(model, model.totals, `${binds.add(ids)}::int[]`)
        : `select count(*) from ${table} where ${all(sqlOfRule(rule, columns, binds), others)}`;
    },
    candidates: hasOne ? candidates : ofSeveral(),
  };
}

/** The number of all records of some owners. Owners whose number is not stored are counted. */
const sumOf = ({ table }: ReadModel, { table: totals, owner, sum }: Totals, ids: string) =>
  `select coalesce(sum(coalesce(known, (select count(*) from ${table} where ${table}.${owner} = owners.id))), 0)::bigint
    from unnest(${ids}) owners (id) cross join lateral (
      select case when bool_or(is_base) then sum(${sum}) end as known from ${totals} where ${owner} = owners.id) sums`;

/**
 * Records whose index has no order, such as that of an array. To find the first ones the whole table would be sorted or
 * scanned, so all are read, once for the total and the page.
 */
function materialized(
  { model: { table, columns }, conditions, extent: { keys, after }, binds }: ListStatement,
  { rule, name, notCountedBefore }: Alternative & { readonly name: string },
): Reason {
  const counted = after ? '' : `, ${notCountedBefore()} as is_not_counted`;
  const where = all(sqlOfRule(rule, columns, binds), conditions);
  const isAfterCursor = after ? sqlOfAfter(byName(after)) : 'true';
  return {
    prepared: [`${name} as materialized (select ${selectKeys(keys)}${counted} from ${table} where ${where})`],
    total: () => `select count(*) from ${name} where is_not_counted`,
    candidates: [`select ${keyNames(keys)} from ${name} where ${isAfterCursor}`],
  };
}

/** SQL for the records of a page: only these are read in full. */
export function pageRecords({ table }: ReadModel, reasons: readonly Reason[], { keys, cut }: Extent): string {
  const candidates = reasons.flatMap((reason) => reason.candidates.map((query) => `(${query})`));
  const order = sqlOfOrder(byName(keys));
  const ids = `select id from (${candidates.join(' union ')}) candidates order by ${order} ${cut}`;
  // `offset 0` keeps the planner from joining the whole table: each record is fetched by its id.
  const record = `select * from ${table} where ${table}.id = ids.id offset 0`;
  return `(${ids}) ids cross join lateral (${record}) ${table}`;
}

/** The keys as columns of a query that `selectKeys` has named. */
const byName = <Key extends SqlKey>(keys: readonly Key[]): Key[] =>
  keys.map((key, at) => ({ ...key, sql: key.name === 'id' ? 'id' : `key_${at}` }));

/** The columns of a query that `selectKeys` has named. */
export const keyNames = (keys: readonly SqlKey[]): string =>
  byName(keys)
    .map(({ sql }) => sql)
    .join(', ');

/** The keys under names for other queries. */
export const selectKeys = (keys: readonly SqlKey[]): string =>
  byName(keys)
    .map(({ sql: name }, at) => `${keys[at]?.sql} as ${name}`)
    .join(', ');
