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
  const order = sqlOfOrder(find.sort.length > 0 ? find.sort : model.order, columns);
  const matching = `from ${table} where ${all(sqlOfRule(sight, columns, binds), asked)}`;
  const from = candidatesOf(model, sight, asked, `order by ${order} limit ${limit} + ${skip}`, binds);
  const page = `select ${table}.* from ${from} order by ${order} limit ${limit} offset ${skip}`;
  const records = `select ${fieldsOf(model, actor, binds, find.select)} from (${page}) ${table}`;
  const [row] = await query(
    `select '{"total":' || (select count(*) ${matching}) || ',"limit":' || ${limit} || ',"skip":' || ${skip} ` +
      `|| ',"data":' || (select ${arrayText} from (${records}) o) || '}' as body`,
    binds.values,
  );
  return new JsonText(String(row?.body));
}

/**
 * What the records of a page are picked from. Where there are several reasons to see a record, each is asked
 * for its own first ones, so that each is one walk along its index that ends when the page is full. Asked all
 * at once, the planner may walk the whole table in the order of the page, past everything of everyone else.
 */
function candidatesOf(model: ReadModel, sight: Rule, asked: string, first: string, binds: Binds): string {
  const { table, columns } = model;
  const reasons = reasonsOf(sight);
  if (reasons.length < 2) return `${table} where ${all(sqlOfRule(sight, columns, binds), asked)}`;
  const lists = reasons.map((reason) => {
    const list = `select ${table}.id from ${table} where ${all(sqlOfRule(reason, columns, binds), asked)}`;
    // The index of a list has no order to walk in, so there an order would mean walking the whole table.
    return isWithinList(reason) ? `(${list})` : `(${list} ${first})`;
  });
  // The offset keeps the planner from joining the table as a whole: each record is fetched by its id.
  const record = `select * from ${table} where ${table}.id = ids.id offset 0`;
  return `(${lists.join(' union ')}) ids cross join lateral (${record}) ${table}`;
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

const isWithinList = (reason: Rule): boolean =>
  Object.values(reason).some((value) => typeof value === 'object' && value !== null && '$contains' in value);

const isAny = (value: Rule[string] | undefined): value is readonly Rule[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'object');
const isIds = (value: Rule[string] | undefined): value is readonly number[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'number');
