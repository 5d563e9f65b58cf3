import { type Actor, isUser, type Rule } from '@crm/auth';
import type { Find } from '@crm/contract';
import { all, Binds, sqlOfConditions, sqlOfOrder, sqlOfRule } from '@crm/query';
import type { Query } from './database.ts';
import { arrayText, columnsFor, fieldsOf, JsonText, type ReadModel } from './read-model.ts';

/** A page of the records that an actor sees, with their total, in one statement and thus from one snapshot. */
export async function findPage(
  query: Query,
  model: ReadModel,
  actor: Actor,
  find: Pick<Find, 'where' | 'sort' | 'limit' | 'skip' | 'select'>,
  within: Rule = {},
): Promise<JsonText> {
  const { table } = model;
  const columns = columnsFor(model, actor);
  const binds = new Binds();
  const visible = isUser(actor) ? model.visible(actor) : {};
  const asked = all(sqlOfRule(within, columns, binds), sqlOfConditions(find.where, columns, binds));
  const limit = `${binds.add(find.limit)}::int`;
  const skip = `${binds.add(find.skip)}::int`;
  const order = orderOf(model, actor, find.sort, binds);
  const total = totalOf(model, visible, asked, binds);
  const first = { order, limit: `${limit}::bigint + ${skip}`, isDescending: find.sort[0]?.[1] === -1 };
  const from = candidatesOf(model, visible, asked, first, binds);
  const page = `select ${table}.* from ${from} order by ${order} limit ${limit} offset ${skip}`;
  const records = `select ${fieldsOf(model, actor, binds, find.select)} from (${page}) ${table}`;
  const [row] = await query(
    `select '{"total":' || (${total}) || ',"limit":' || ${limit} || ',"skip":' || ${skip} ` +
      `|| ',"data":' || (select ${arrayText} from (${records}) o) || '}' as body`,
    binds.values,
  );
  return new JsonText(String(row?.body));
}

function orderOf(model: ReadModel, actor: Actor, sort: Find['sort'], binds: Binds): string {
  const { columns, first } = model;
  if (sort.length > 0) return sqlOfOrder(sort, columnsFor(model, actor), binds);
  const defaultOrder = sqlOfOrder(model.order, columns, binds);
  return first && isUser(actor)
    ? `(${sqlOfRule(first(actor), columns, binds)}) desc, ${defaultOrder}`
    : defaultOrder;
}

/**
 * SQL for the number of records that are visible and match. Those of each reason are counted on their own, without those
 * of the reasons before it: an index alone tells how many records an owner has, but not how many have one of two reasons.
 */
function totalOf({ table, columns }: ReadModel, visible: Rule, asked: string, binds: Binds): string {
  const reasons = isAny(visible.$or) ? visible.$or : [visible];
  const counts = reasons.map((reason, at) => {
    const others = reasons.slice(0, at).map((other) => `(${sqlOfRule(other, columns, binds)}) is not true`);
    const where = all(sqlOfRule(reason, columns, binds), ...others, asked);
    return `(select count(*) from ${table} where ${where})`;
  });
  return counts.join(' + ');
}

/**
 * The SQL from which the records of a page are selected. If a record can be visible for several reasons, each reason gets
 * its own query for its first records, which is one index scan that ends when the page is full. With one query for all
 * reasons the planner may scan the whole table in the order of the page, with the records of all users.
 */
function candidatesOf(model: ReadModel, visible: Rule, asked: string, first: First, binds: Binds): string {
  const { table, columns } = model;
  const reasons = reasonsOf(visible);
  if (reasons.length < 2) return `${table} where ${all(sqlOfRule(visible, columns, binds), asked)}`;
  const lists = reasons.map((reason) => {
    const list = (where: string) => `select ${table}.id from ${table} where ${all(where, asked)}`;
    const owner = ownerIn(reason);
    const column = owner && columns[owner.field]?.sql;
    // The index of an array is not ordered, so sorting here would mean scanning the whole table.
    if (!owner || typeof column !== 'string') return `(${list(sqlOfRule(reason, columns, binds))})`;
    // As a range and ordered by owner, which only an index with the owner first supports: with equality the planner
    // would also consider the primary key, and scan the records of all users to find this owner's.
    const id = `${binds.add(owner.id)}::int`;
    // In the direction of the order, so that one index serves both.
    const owned = `${column} ${first.isDescending ? 'desc' : 'asc'}`;
    return `(${list(`${column} between ${id} and ${id}`)} order by ${owned}, ${first.order} limit ${first.limit})`;
  });
  // `offset 0` keeps the planner from joining the whole table: each record is fetched by its id.
  const record = `select * from ${table} where ${table}.id = ids.id offset 0`;
  return `(${lists.join(' union ')}) ids cross join lateral (${record}) ${table}`;
}

interface First {
  readonly order: string;
  readonly limit: string;
  readonly isDescending: boolean;
}

/** The owner whose records a reason selects, if it is only that. */
export function ownerIn(reason: Rule): { readonly field: string; readonly id: number } | undefined {
  const [[field, id] = [], ...others] = Object.entries(reason);
  return field !== undefined && others.length === 0 && typeof id === 'number' ? { field, id } : undefined;
}

/** The alternatives of a rule, each for one owner. */
export function reasonsOf(visible: Rule): Rule[] {
  const parts = isAny(visible.$or) ? visible.$or : [visible];
  return parts.flatMap((part) => {
    const [[field, value] = [], ...others] = Object.entries(part);
    if (field === undefined || others.length > 0 || !isIds(value) || value.length > maxReasons) return [part];
    return value.map((id) => ({ [field]: id }));
  });
}

/** For more owners, one query for all is cheaper than one for each. */
const maxReasons = 20;

const isAny = (value: Rule[string] | undefined): value is readonly Rule[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'object');
const isIds = (value: Rule[string] | undefined): value is readonly number[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'number');
