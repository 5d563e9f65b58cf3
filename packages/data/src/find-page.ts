import { type Actor, isUser, type Rule } from '@crm/auth';
import type { Find } from '@crm/contract';
import { all, Binds, sqlOfConditions, sqlOfOrder, sqlOfRule } from '@crm/query';
import type { Query } from './database.ts';
import { arrayText, fieldsOf, JsonText, type ReadModel } from './read-model.ts';

/** A page of the records an actor may see, with their number, in one statement and so of one moment. */
export async function findPage(
  query: Query,
  model: ReadModel,
  actor: Actor,
  find: Pick<Find, 'where' | 'sort' | 'limit' | 'skip' | 'select'>,
  within: Rule = {},
): Promise<JsonText> {
  const { table, columns } = model;
  const binds = new Binds();
  const sight = isUser(actor) ? model.visible(actor) : {};
  const asked = all(sqlOfRule(within, columns, binds), sqlOfConditions(find.where, columns, binds));
  const limit = `${binds.add(find.limit)}::int`;
  const skip = `${binds.add(find.skip)}::int`;
  const order = orderOf(model, actor, find.sort, binds);
  const matching = `from ${table} where ${all(sqlOfRule(sight, columns, binds), asked)}`;
  const from = candidatesOf(model, sight, asked, { order, limit: `${limit}::bigint + ${skip}` }, binds);
  const page = `select ${table}.* from ${from} order by ${order} limit ${limit} offset ${skip}`;
  const records = `select ${fieldsOf(model, actor, binds, find.select)} from (${page}) ${table}`;
  const [row] = await query(
    `select '{"total":' || (select count(*) ${matching}) || ',"limit":' || ${limit} || ',"skip":' || ${skip} ` +
      `|| ',"data":' || (select ${arrayText} from (${records}) o) || '}' as body`,
    binds.values,
  );
  return new JsonText(String(row?.body));
}

function orderOf(model: ReadModel, actor: Actor, sort: Find['sort'], binds: Binds): string {
  const { columns, first } = model;
  if (sort.length > 0) return sqlOfOrder(sort, columns);
  const usual = sqlOfOrder(model.order, columns);
  return first && isUser(actor) ? `(${sqlOfRule(first(actor), columns, binds)}) desc, ${usual}` : usual;
}

/**
 * What the records of a page are picked from. Where there are several reasons to see a record, each is asked
 * for its own first ones, so that each is one walk along its index that ends when the page is full. Asked all
 * at once, the planner may walk the whole table in the order of the page, past everything of everyone else.
 */
function candidatesOf(model: ReadModel, sight: Rule, asked: string, first: First, binds: Binds): string {
  const { table, columns } = model;
  const reasons = reasonsOf(sight);
  if (reasons.length < 2) return `${table} where ${all(sqlOfRule(sight, columns, binds), asked)}`;
  const lists = reasons.map((reason) => {
    const list = (where: string) => `select ${table}.id from ${table} where ${all(where, asked)}`;
    const owner = ownerIn(reason);
    const column = owner && columns[owner.field]?.sql;
    // The index of a list has no order to walk in, so there an order would mean walking the whole table.
    if (!column) return `(${list(sqlOfRule(reason, columns, binds))})`;
    // As a range and in the order of owners, which only an index led by the owner has: of one owner alone the
    // planner would also consider the primary key, and walk past everyone else's records to find this one's.
    const id = `${binds.add(owner.id)}::int`;
    return `(${list(`${column} between ${id} and ${id}`)} order by ${column}, ${first.order} limit ${first.limit})`;
  });
  // The offset keeps the planner from joining the table as a whole: each record is fetched by its id.
  const record = `select * from ${table} where ${table}.id = ids.id offset 0`;
  return `(${lists.join(' union ')}) ids cross join lateral (${record}) ${table}`;
}

interface First {
  readonly order: string;
  readonly limit: string;
}

function ownerIn(reason: Rule): { readonly field: string; readonly id: number } | undefined {
  const [[field, id] = [], ...others] = Object.entries(reason);
  return field !== undefined && others.length === 0 && typeof id === 'number' ? { field, id } : undefined;
}

/** The parts of a rule of which any one suffices, each for one owner. */
function reasonsOf(sight: Rule): Rule[] {
  const parts = isAny(sight.$or) ? sight.$or : [sight];
  return parts.flatMap((part) => {
    const [[field, value] = [], ...others] = Object.entries(part);
    if (field === undefined || others.length > 0 || !isIds(value) || value.length > mostReasons)
      return [part];
    return value.map((id) => ({ [field]: id }));
  });
}

/** Beyond so many owners one list of all of them is cheaper than a list each. */
const mostReasons = 20;

const isAny = (value: Rule[string] | undefined): value is readonly Rule[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'object');
const isIds = (value: Rule[string] | undefined): value is readonly number[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'number');
