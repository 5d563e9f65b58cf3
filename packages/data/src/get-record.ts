import type { Actor, Rule } from '@crm/auth';
import type { Condition } from '@crm/contract';
import { all, Binds, sqlOfConditions, sqlOfRule } from '@crm/query';
import type { Query } from './query.ts';
import { columnsFor, fieldsOf, JsonText, type ReadModel } from './read-model.ts';
import { sqlOfVisible } from './sql-of-visible.ts';

interface Options {
  /** Restricts the record, for example to the children of one parent. */
  readonly within?: Rule;
  readonly where?: readonly Condition[];
  readonly select?: readonly string[];
  /** The actor the record is shown to, if that is not the one who must see it. */
  readonly viewer?: Actor;
}

/** One record as JSON text; undefined if it does not exist, is hidden from the actor, or fails the conditions. */
export async function getRecord(
  query: Query,
  model: ReadModel,
  actor: Actor,
  id: number,
  { within = {}, where = [], select, viewer = actor }: Options = {},
): Promise<JsonText | undefined> {
  const binds = new Binds();
  const conditions = all(
    `${model.table}.id = ${binds.add(id)}::int`,
    sqlOfVisible(model, actor, binds),
    sqlOfRule(within, model.columns, binds),
    sqlOfConditions(where, columnsFor(model, viewer), binds),
  );
  const record = `select ${fieldsOf(model, viewer, binds, select, 'record')} from ${model.table} where ${conditions}`;
  const [row] = await query(`select to_json(o)::text as body from (${record}) o`, binds.values);
  return row && new JsonText(String(row.body));
}
