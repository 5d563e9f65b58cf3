import { type Actor, alternativesIn, isUser, ownersIn, type Rule } from '@crm/auth';
import type { Condition, Find } from '@crm/contract';
import { all, Binds, type SqlKey, sqlKeys, sqlOfAfter, sqlOfConditions, sqlOfRule } from '@crm/query';
import type { Query } from './database.ts';
import { type Extent, extentOf, readPage } from './page-statement.ts';
import { columnsFor, fieldsOf, type JsonText, type ReadModel } from './read-model.ts';
import { reasonsIn, recordsOf } from './reasons-of-sight.ts';

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
  const rules = alternativesIn(visible);
  const fields = fieldsOf(model, actor, binds, find.select);
  if (hasOrder(rules, extent)) {
    const where = all(sqlOfRule(visible, columns, binds), asked);
    const behind = extent.after ? sqlOfAfter(extent.keys, extent.after) : 'true';
    const total = () => `select count(*) from ${model.table} where ${where}`;
    return readPage(query, binds, extent, {
      total,
      from: `${model.table} where ${all(where, behind)}`,
      fields,
    });
  }
  const apart = isFiltered(find, within, extent) ? [visible] : rules;
  const reasons = reasonsIn(apart, { model, conditions: asked, extent, binds });
  return readPage(query, binds, extent, {
    prepared: reasons.flatMap(({ prepared }) => prepared),
    total: () => reasons.map(({ total }) => `(${total()})`).join(' + '),
    from: recordsOf(model, reasons, extent),
    fields,
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

/** Whether one query reads the records in the order of the page. Those of several owners, or behind a place, need several. */
const hasOrder = ([rule, ...others]: readonly Rule[], { after }: Extent) =>
  others.length === 0 && ((rule && ownersIn(rule)?.ids.length) ?? 0) <= (after ? 0 : 1);

/**
 * Whether all that match are counted, by fields that no index has in the order of the page. To count them is to read them, so the
 * page is made of what was read, in one pass for all reasons.
 */
const isFiltered = ({ where }: ListQuery, within: Rule, { keys, after }: Extent) =>
  after === undefined &&
  (Object.keys(within).length > 0 || where.some((condition) => !isOnKey(condition, keys)));

const isOnKey = (condition: Condition, keys: readonly SqlKey[]) =>
  'field' in condition && keys.some(({ name }) => name === condition.field);
