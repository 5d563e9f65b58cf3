import type { Actor } from '@crm/auth';
import type { Condition } from '@crm/contract';
import { all, Binds, sqlOfConditions } from '@crm/query';
import type { z } from 'zod';
import { type Query, queryRows } from './query.ts';
import { columnsFor, type ReadModel } from './read-model.ts';
import { sqlOfVisible } from './sql-of-visible.ts';

/**
 * Locks a record that an actor sees and that meets the conditions. It cannot be changed until the transaction ends. Returns the
 * columns of the schema; undefined if there is no such record.
 */
export async function lockRecord<Schema extends z.ZodObject>(
  query: Query,
  model: ReadModel,
  actor: Actor,
  schema: Schema,
  { id, where = [] }: { readonly id: number; readonly where?: readonly Condition[] | undefined },
): Promise<z.output<Schema> | undefined> {
  const { table } = model;
  const binds = new Binds();
  const condition = isVisible(model, actor, id, binds);
  const columns = Object.keys(schema.shape).map((name) => `${table}.${name}`);
  const text = `select ${columns.join(', ')} from ${table} where ${condition} for update of ${table}`;
  const [[row], isMet] = await Promise.all([
    queryRows(query, schema, text, binds.values),
    where.length === 0 || doesMeet(query, model, actor, id, where),
  ]);
  return isMet ? row : undefined;
}

/**
 * Whether a record meets conditions. It is sent together with the statement that locks the record, but not part of it: after
 * waiting for the lock, that one would read other tables as they were before it waited.
 */
async function doesMeet(
  query: Query,
  model: ReadModel,
  actor: Actor,
  id: number,
  where: readonly Condition[],
): Promise<boolean> {
  const { table } = model;
  const binds = new Binds();
  const own = `${table}.id = ${binds.add(id)}::int`;
  const met = sqlOfConditions(where, columnsFor(model, actor), binds);
  return (await query(`select from ${table} where ${all(own, met)}`, binds.values)).length > 0;
}

interface Reference {
  readonly model: ReadModel;
  readonly id: number;
}

/**
 * Locks the records that references name, in the given order. They cannot be removed until the transaction ends. Returns the
 * names of the references whose record does not exist or is hidden from the actor.
 */
export async function lockReferences<Name extends string>(
  query: Query,
  actor: Actor,
  references: ReadonlyMap<Name, Reference>,
): Promise<Name[]> {
  if (references.size === 0) return [];
  const binds = new Binds();
  const found = [...references].map(([name, { model, id }]) => {
    const record = `select true from ${model.table} where ${isVisible(model, actor, id, binds)} for share`;
    return `(${record}) as ${name}`;
  });
  const [row] = await query(`select ${found.join(', ')}`, binds.values);
  return [...references.keys()].filter((name) => !row?.[name]);
}

const isVisible = (model: ReadModel, actor: Actor, id: number, binds: Binds) =>
  all(`${model.table}.id = ${binds.add(id)}::int`, sqlOfVisible(model, actor, binds));
