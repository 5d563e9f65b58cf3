import { system } from '@crm/auth';
import { type Condition, noRecord } from '@crm/contract';
import { getRecord, type JsonText, lockRecord, type ReadModel } from '@crm/data';
import { writeEvents } from '@crm/messaging';
import { type EntityName, type FilterQuery, LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import type { Context } from './context.ts';
import { Pending } from './pending.ts';

interface Target {
  readonly id: number;
  /** Conditions of the request; a record that does not meet them is treated as missing. */
  readonly $where?: readonly Condition[] | undefined;
}

/**
 * Loads a record that the actor sees, and locks it against changes until the transaction ends. The second of two concurrent
 * changes therefore builds on the first, and neither is lost. Throws NotFound.
 */
export async function loadForChange<Entity extends object>(
  ctx: Context,
  entity: EntityName<Entity>,
  model: ReadModel,
  { id, $where }: Target,
  within: Readonly<Record<string, number>> = {},
): Promise<Entity> {
  const where = { ...within, id } as unknown as FilterQuery<NoInfer<Entity>>;
  const record = await ctx.em.findOne(entity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!record) throw noRecord(id);
  if ($where && $where.length > 0 && !(await getRecord(ctx.query, model, ctx.actor, id, { where: $where }))) {
    throw noRecord(id);
  }
  await ctx.checkLocked?.(id);
  return record;
}

/**
 * Locks a record like `loadForChange` and returns the columns of a schema, for resources that are written so often that
 * creating an entity costs too much.
 */
export async function lockForChange<Schema extends z.ZodObject>(
  ctx: Context,
  model: ReadModel,
  schema: Schema,
  { id, $where: where }: Target,
): Promise<z.output<Schema>> {
  const record = await lockRecord(ctx.query, model, ctx.actor, schema, { id, where });
  if (!record) throw noRecord(id);
  await ctx.checkLocked?.(id);
  return record;
}

/**
 * The response to a change: the record as the actor reads it, even if the actor no longer sees it. Flushes first. What the
 * caller has sent before and not awaited is awaited with it.
 */
export async function answerWith(
  ctx: Context,
  model: ReadModel,
  id: number,
  sent: readonly (Promise<unknown> | false)[] = [],
): Promise<Pending<JsonText>> {
  const { result: before } = new Pending(Promise.all(sent));
  await ctx.em.flush();
  const reading = getRecord(ctx.query, model, system, id, { viewer: ctx.actor });
  // Sent together with the events so far.
  const writing = writeEvents(ctx.em.getContext());
  const all = Promise.all([reading, writing, before]);
  return new Pending(all.then(([record]) => record ?? Promise.reject(noRecord(id))));
}
