import { type Actor, alternativesIn, isUser, ownersIn, type Rule } from '@crm/auth';
import type { Condition, Find } from '@crm/contract';
import { all, Binds, type SqlKey, sqlKeys, sqlOfAfter, sqlOfConditions, sqlOfRule } from '@crm/query';
import { anyReason } from './any-reason.ts';
import type { ListQuery } from './list-query.ts';
import { type Extent, extentOf, readPage, type Shown } from './page-statement.ts';
import type { Query } from './query.ts';
import { columnsFor, type JsonText, type ReadModel } from './read-model.ts';
import { readRecords } from './remembered-records.ts';
import { ruleFor } from './visibility.ts';
import {
  type ListStatement,
  type Owners,
  pageRecords,
  type Reason,
  reasonsIn,
} from './visibility-reasons.ts';

/** A page of the records that an actor sees, with their total. Both come from one statement and thus from one snapshot. */
export function findPage(
  query: Query,
  model: ReadModel,
  actor: Actor,
  find: ListQuery,
  within: Rule = {},
): Promise<JsonText> {
  return readRecords(query, model, actor, find, async (shown) => {
    const list = () => listOf(model, actor, find, within, shown);
    const asked = list();
    if (hasOrder(asked)) return readInOrder(query, asked);
    if (asked.extent.after || !isFiltered(find, within, asked.extent))
      return readByReason(query, asked, isByValue(find, asked) ? 'together' : 'each');
    const page = await readTogether(query, asked);
    // More were not read: to keep so many takes longer than to count them, and to read the first ones in the order of the page.
    return page.total <= maxTogether ? page : readByReason(query, list(), 'together');
  });
}

/** So many are kept within the memory of a statement (`work_mem`). */
const maxTogether = 50_000;

interface VisibleList extends ListStatement {
  readonly visible: Rule;
  readonly shown: Shown;
}

function listOf(
  model: ReadModel,
  actor: Actor,
  find: ListQuery,
  within: Rule,
  shown: (binds: Binds) => Shown,
): VisibleList {
  const columns = columnsFor(model, actor);
  const binds = new Binds();
  const conditions = all(sqlOfRule(within, columns, binds), sqlOfConditions(find.where, columns, binds));
  const extent = extentOf(model.table, keysOf(model, actor, find.sort, binds), find, binds);
  const visible = ruleFor(actor, model.visible);
  return { model, visible, extent, binds, conditions, shown: shown(binds) };
}

/** Reads the records with one query, along an index that has their order. */
function readInOrder(query: Query, { model, visible, extent, binds, conditions, shown }: VisibleList) {
  const where = all(sqlOfRule(visible, model.columns, binds), conditions);
  const behind = extent.after ? sqlOfAfter(extent.after) : 'true';
  return readPage(query, binds, extent, {
    total: () => `select count(*) from ${model.table} where ${where}`,
    from: `${model.table} where ${all(where, behind)}`,
    isCut: false,
    shown,
  });
}

/** Counts and finds the records that are visible for each reason on their own. */
const readByReason = (query: Query, list: VisibleList, owners: Owners) =>
  readReasons(query, list, reasonsIn(alternativesIn(list.visible), list, owners));

/** Reads the records that are visible for any reason in one pass, but no more than one too many. */
const readTogether = (query: Query, list: VisibleList) =>
  readReasons(query, list, [anyReason(list.visible, list, maxTogether + 1)]);

const readReasons = (
  query: Query,
  { model, extent, binds, shown }: VisibleList,
  reasons: readonly Reason[],
) =>
  readPage(query, binds, extent, {
    prepared: reasons.flatMap(({ prepared }) => prepared),
    total: () => reasons.map(({ total }) => `(${total()})`).join(' + '),
    from: pageRecords(model, reasons, extent),
    isCut: true,
    shown,
  });

function keysOf(model: ReadModel, actor: Actor, sort: Find['sort'], binds: Binds): SqlKey[] {
  const { columns, first } = model;
  if (sort.length > 0) return sqlKeys(sort, columnsFor(model, actor), binds);
  const defaultKeys = sqlKeys(model.order, columns, binds);
  if (!first || !isUser(actor)) return defaultKeys;
  const sql = `(${sqlOfRule(first(actor), columns, binds)})`;
  return [{ name: 'first', kind: 'boolean', direction: -1, sql }, ...defaultKeys];
}

/** Whether one query reads the records in the order of the page. Those of several owners, or behind a place, need several. */
function hasOrder({ visible, extent: { after } }: VisibleList): boolean {
  const [rule = {}, ...others] = alternativesIn(visible);
  return others.length === 0 && (ownersIn(rule)?.ids.length ?? 0) <= (after ? 0 : 1);
}

/**
 * Whether all that match are counted, by fields that no index has in the order of the page. To count them is to read them, so the
 * page is made of what was read, in one pass for all reasons.
 */
const isFiltered = ({ where }: ListQuery, within: Rule, { keys }: Extent) =>
  Object.keys(within).length > 0 || where.some((condition) => !isOnKey(condition, keys));

/**
 * Whether the planner may find what matches by an index of a value, for each owner anew, because it expects few to have any
 * value. It knows how many meet other conditions, and equality that is best for the viewer finds what each owner has.
 */
function isByValue({ where }: ListQuery, { model: { viewerEquals = {} }, extent: { keys } }: ListStatement) {
  const isValue = (condition: Condition): boolean =>
    'any' in condition
      ? condition.any.every((group) => group.some(isValue))
      : condition.op === '$in' &&
        !condition.value.includes(null) &&
        !viewerEquals[condition.field] &&
        !isOnKey(condition, keys);
  return where.some(isValue);
}

const isOnKey = (condition: Condition, keys: readonly SqlKey[]) =>
  'field' in condition && keys.some(({ name }) => name === condition.field);
