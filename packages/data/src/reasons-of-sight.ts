import { alternativesIn, isContains, ownersIn, type Rule } from '@crm/auth';
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

/** How the records that are visible for one reason, and match, are counted and found. */
export interface Reason {
  /** Queries of a `with` that the others use. */
  readonly prepared: readonly string[];
  /** SQL for the number of those that are not visible for a reason before. */
  readonly total: () => string;
  /** Queries that return at least those that a page can have, by what orders them. */
  readonly firsts: readonly string[];
}

/** What is asked of a model: conditions in SQL, and which records of those that meet them. */
interface Asked {
  readonly model: ReadModel;
  readonly conditions: string;
  readonly extent: Extent;
  readonly binds: Binds;
}

/**
 * The records of each reason are counted on their own, without those of the reasons before it: an index alone tells how many
 * records an owner has, but not how many have one of two reasons. They are also found on their own. With one query for all
 * reasons the planner may scan the whole table in the order of the page, with the records of all users.
 */
export function reasonsIn(rules: readonly Rule[], asked: Asked): Reason[] {
  return rules.map((rule, at) => {
    const isNew = () => notVisibleFor(rules.slice(0, at), asked);
    const owned = ownedIn(rule, asked.model);
    return owned
      ? walked(asked, rule, isNew, owned.column, owned.ids)
      : gathered(asked, rule, isNew, `reason_${at}`);
  });
}

/** SQL for whether a record is visible for none of some reasons. */
const notVisibleFor = (rules: readonly Rule[], asked: Asked): string =>
  all(...rules.map((rule) => `(${isVisibleFor(rule, asked)}) is not true`));

/**
 * SQL for whether a record that was found for another reason is visible for this one. A statement planned for all values compares
 * it with one of many owners after the other, unless they are a set.
 */
function isVisibleFor(rule: Rule, { model, binds }: Asked): string {
  const owned = ownedIn(rule, model);
  return owned && owned.ids.length > 1
    ? `${owned.column} in (select unnest(${binds.add(owned.ids)}::int[]))`
    : sqlOfRule(rule, model.columns, binds);
}

/** The owners whose records a rule lets see, with their column, unless it lets see others as well. */
function ownedIn(rule: Rule, { columns }: ReadModel) {
  const owners = ownersIn(rule);
  const column = owners && columns[owners.field]?.sql;
  return owners && typeof column === 'string' ? { column, ids: owners.ids } : undefined;
}

/**
 * The records of owners, by index scans that end when the page is full: one for each owner and, behind a place, for each range of
 * the index. They read what orders a record, which the index has.
 */
function walked(
  { model, conditions, extent: { keys, after, most }, binds }: Asked,
  rule: Rule,
  isNew: () => string,
  column: string,
  ids: readonly number[],
): Reason {
  const { table, columns } = model;
  const hasOne = ids.length === 1;
  const id = hasOne ? `${binds.add(ids[0])}::int` : 'owners.id';
  const ranges = after ? rangesAfter(after, column, id) : [rangeOf(keys, column, id)];
  const firsts = ranges.map(
    ({ where, order }) =>
      `select ${placeOf(keys)} from ${table} where ${all(where, conditions)} order by ${order} limit ${most}`,
  );
  const ofEach = () => {
    const each = `unnest(${binds.add(ids)}::int[]) owners (id)`;
    return firsts.map((first) => `select one.* from ${each} cross join lateral (${first}) one`);
  };
  return {
    prepared: [],
    total: () => {
      const others = all(conditions, isNew());
      return others === 'true' && model.totals && rule[model.totals.owner] !== undefined
        ? sumOf(model, model.totals, `${binds.add(ids)}::int[]`)
        : `select count(*) from ${table} where ${all(sqlOfRule(rule, columns, binds), others)}`;
    },
    firsts: hasOne ? firsts : ofEach(),
  };
}

/** The number of all records of owners, who are counted as long as their numbers are not known. */
const sumOf = ({ table }: ReadModel, { table: totals, owner, sum }: Totals, ids: string) =>
  `select coalesce(sum(coalesce(known, (select count(*) from ${table} where ${table}.${owner} = owners.id))), 0)::bigint
    from unnest(${ids}) owners (id) cross join lateral (
      select case when bool_or(is_base) then sum(${sum}) end as known from ${totals} where ${owner} = owners.id) sums`;

/**
 * The records that are visible for any reason, or as many of each as are read at most. Those of one owner are read on their own,
 * because an index may have all that is asked of them, and then those of the other reasons.
 */
export function anyReason(visible: Rule, asked: Asked, most: number): Reason {
  const alternatives = alternativesIn(visible);
  const [own = {}] = alternatives;
  const rules = ownedIn(own, asked.model)?.ids.length === 1 ? alternatives : [visible];
  const reads = rules.map((rule, at) => {
    const read = isShare(rule) ? matchesAmong : matchesOf;
    return `(${read(rule, rules.slice(0, at), asked)} limit ${most})`;
  });
  return {
    prepared: [`visible as materialized (${reads.join(' union all ')})`],
    total: () => 'select count(*) from visible',
    firsts: [`select ${namesOf(asked.extent.keys)} from visible`],
  };
}

/** Whether it lets see what others have shared with the user, and nothing else. */
const isShare = (rule: Rule): boolean => Object.values(rule).every(isContains);

function matchesOf(rule: Rule, before: readonly Rule[], asked: Asked): string {
  const { model, conditions, extent, binds } = asked;
  const where = all(sqlOfRule(rule, model.columns, binds), notVisibleFor(before, asked), conditions);
  return `select ${placeOf(extent.keys)} from ${model.table} where ${where}`;
}

/** The same of shared records, which are few: the planner expects many, and would look for all others that match. */
function matchesAmong(rule: Rule, before: readonly Rule[], asked: Asked): string {
  const { model, conditions, extent, binds } = asked;
  const seen = all(sqlOfRule(rule, model.columns, binds), notVisibleFor(before, asked));
  // `offset 0` keeps the planner from comparing the conditions first.
  const records = `(select * from ${model.table} where ${seen} offset 0) ${model.table}`;
  return `select ${placeOf(extent.keys)} from ${records} where ${conditions}`;
}

/**
 * The records whose index has no order, such as that of an array. To find the first ones the whole table would be sorted or
 * scanned, so all are read, once for the total and the page.
 */
function gathered(
  { model: { table, columns }, conditions, extent: { keys, after }, binds }: Asked,
  rule: Rule,
  isNew: () => string,
  name: string,
): Reason {
  const counted = after ? '' : `, ${isNew()} as is_new`;
  const where = all(sqlOfRule(rule, columns, binds), conditions);
  const behind = after ? sqlOfAfter(byName(after)) : 'true';
  return {
    prepared: [`${name} as materialized (select ${placeOf(keys)}${counted} from ${table} where ${where})`],
    total: () => `select count(*) from ${name} where is_new`,
    firsts: [`select ${namesOf(keys)} from ${name} where ${behind}`],
  };
}

/** SQL for the records of a page: only these are read in full. */
export function recordsOf({ table }: ReadModel, reasons: readonly Reason[], { keys, most }: Extent): string {
  const firsts = reasons.flatMap((reason) => reason.firsts.map((first) => `(${first})`));
  const order = sqlOfOrder(byName(keys));
  const ids = `select id from (${firsts.join(' union ')}) places order by ${order} limit ${most}`;
  // `offset 0` keeps the planner from joining the whole table: each record is fetched by its id.
  const record = `select * from ${table} where ${table}.id = ids.id offset 0`;
  return `(${ids}) ids cross join lateral (${record}) ${table}`;
}

/** The keys as columns of a query for places. */
const byName = <Key extends SqlKey>(keys: readonly Key[]): Key[] =>
  keys.map((key, at) => ({ ...key, sql: key.name === 'id' ? 'id' : `key_${at}` }));

const namesOf = (keys: readonly SqlKey[]): string =>
  byName(keys)
    .map(({ sql }) => sql)
    .join(', ');

const placeOf = (keys: readonly SqlKey[]): string =>
  byName(keys)
    .map(({ sql: name }, at) => `${keys[at]?.sql} as ${name}`)
    .join(', ');
