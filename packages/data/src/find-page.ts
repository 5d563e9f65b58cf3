import { type Actor, alternativesIn, isUser, ownersIn, type Rule } from '@crm/auth';
import type { Find } from '@crm/contract';
import {
  all,
  Binds,
  rangeOf,
  rangesAfter,
  type SqlKey,
  sqlKeys,
  sqlOfAfter,
  sqlOfConditions,
  sqlOfOrder,
  sqlOfRule,
} from '@crm/query';
import type { Query } from './database.ts';
import { type Extent, extentOf, readPage } from './page-statement.ts';
import { columnsFor, fieldsOf, type JsonText, type ReadModel } from './read-model.ts';

/** What is asked of a list. */
export type ListQuery = Pick<Find, 'where' | 'sort' | 'limit' | 'skip' | 'select'> &
  Partial<Pick<Find, 'after'>>;

/** A page of the records that an actor sees, with their total, in one statement and thus from one snapshot. */
export async function findPage(
  query: Query,
  model: ReadModel,
  actor: Actor,
  find: ListQuery,
  within: Rule = {},
): Promise<JsonText> {
  const columns = columnsFor(model, actor);
  const binds = new Binds();
  const visible = isUser(actor) ? model.visible(actor) : {};
  const asked = all(sqlOfRule(within, columns, binds), sqlOfConditions(find.where, columns, binds));
  const extent = extentOf(model.table, keysOf(model, actor, find.sort, binds), find, binds);
  return readPage(query, binds, extent, {
    total: () => totalOf(model, visible, asked, binds),
    from: candidatesOf(model, visible, asked, extent, binds),
    fields: fieldsOf(model, actor, binds, find.select),
  });
}

function keysOf(model: ReadModel, actor: Actor, sort: Find['sort'], binds: Binds): SqlKey[] {
  const { columns, first } = model;
  if (sort.length > 0) return sqlKeys(sort, columnsFor(model, actor), binds);
  const defaultKeys = sqlKeys(model.order, columns, binds);
  if (!first || !isUser(actor)) return defaultKeys;
  const sql = `(${sqlOfRule(first(actor), columns, binds)})`;
  return [{ name: 'first', kind: 'boolean', direction: -1, sql }, ...defaultKeys];
}

/**
 * SQL for the number of records that are visible and match. Those of each reason are counted on their own, without those
 * of the reasons before it: an index alone tells how many records an owner has, but not how many have one of two reasons.
 */
function totalOf({ table, columns }: ReadModel, visible: Rule, asked: string, binds: Binds): string {
  const reasons = alternativesIn(visible);
  const counts = reasons.map((reason, at) => {
    const others = reasons.slice(0, at).map((other) => `(${sqlOfRule(other, columns, binds)}) is not true`);
    const where = all(sqlOfRule(reason, columns, binds), ...others, asked);
    return `(select count(*) from ${table} where ${where})`;
  });
  return counts.join(' + ');
}

/**
 * The SQL from which the records of a page are selected. If a record can be visible for several reasons, each reason gets
 * its own query for its first records, which is one index scan that ends when the page is full, and so does each owner of a
 * reason. With one query for all reasons the planner may scan the whole table in the order of the page, with the records of all
 * users. Behind a place, each reason gets a query for each range of that index. They read what orders a record, which the index
 * has, and only the records of the page are read in full.
 */
function candidatesOf(model: ReadModel, visible: Rule, asked: string, extent: Extent, binds: Binds): string {
  const { table, columns } = model;
  const { keys, after, most } = extent;
  const reasons = alternativesIn(visible);
  const behind = () => (after ? sqlOfAfter(keys, after) : 'true');
  const [only] = reasons.map(ownersIn);
  const isOne = reasons.length === 1 && (only?.ids.length ?? 0) <= (after ? 0 : 1);
  if (isOne) return `${table} where ${all(sqlOfRule(visible, columns, binds), asked, behind())}`;
  const places = keys.map((key, at) => ({ ...key, as: key.name === 'id' ? 'id' : `key_${at}` }));
  const place = places.map(({ sql, as }) => `${sql} as ${as}`).join(', ');
  const those = (where: string, shown = place) => `select ${shown} from ${table} where ${all(where, asked)}`;
  const lists = reasons.flatMap((reason) => {
    const owners = ownersIn(reason);
    const column = owners && columns[owners.field]?.sql;
    if (!owners || typeof column !== 'string') {
      const where = sqlOfRule(reason, columns, binds);
      // The index of an array is not ordered, so sorting here would mean scanning the whole table. `offset 0` keeps the planner
      // from scanning the records of all users that are behind the place.
      return after
        ? `(select ${place} from (${those(where, '*')} offset 0) ${table} where ${behind()})`
        : `(${those(where)})`;
    }
    const hasOne = owners.ids.length === 1;
    const id = hasOne ? `${binds.add(owners.ids[0])}::int` : 'owners.id';
    const ranges = after ? rangesAfter(keys, after, column, id) : [rangeOf(keys, column, id)];
    const firsts = ranges.map(({ where, order }) => `(${those(where)} order by ${order} limit ${most})`);
    if (hasOne) return firsts;
    const each = `unnest(${binds.add(owners.ids)}::int[]) owners (id)`;
    return firsts.map((first) => `(select one.* from ${each} cross join lateral ${first} one)`);
  });
  const order = sqlOfOrder(places.map(({ as, ...key }) => ({ ...key, sql: as })));
  const ids = `select id from (${lists.join(' union ')}) places order by ${order} limit ${most}`;
  // `offset 0` keeps the planner from joining the whole table: each record is fetched by its id.
  const record = `select * from ${table} where ${table}.id = ids.id offset 0`;
  return `(${ids}) ids cross join lateral (${record}) ${table}`;
}
