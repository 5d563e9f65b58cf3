import type { Rule } from '@crm/auth';
import { noRecord, type RecordQuery } from '@crm/contract';
import {
  type JsonText,
  type ListQuery,
  findPage as page,
  type ReadModel,
  getRecord as record,
  type SearchedModel,
  searchPage,
} from '@crm/data';
import type { Context } from './context.ts';

/** A page of the records that the actor sees; `within` restricts it, for example to the children of one parent. */
export function findPage(ctx: Context, model: ReadModel, find: ListQuery, within?: Rule): Promise<JsonText> {
  return page(ctx.query, model, ctx.actor, find, within);
}

/** Finds the page of a list that may have `$search`. */
export function findOrSearch(
  ctx: Context,
  model: SearchedModel,
  { $search, ...find }: ListQuery & { readonly $search?: readonly string[] | undefined },
  how: { readonly similar?: boolean } = {},
): Promise<JsonText> {
  return $search ? searchPage(ctx.query, model, ctx.actor, find, $search, how) : findPage(ctx, model, find);
}

/** Throws NotFound unless the actor sees the record. */
export async function demandSeen(ctx: Context, model: ReadModel, id: number): Promise<void> {
  await getRecord(ctx, model, { id, $select: ['id'] });
}

/** A record that the actor sees. Throws NotFound, with the same message for hidden and missing records. */
export async function getRecord(
  ctx: Context,
  model: ReadModel,
  { id, $where, $select }: { readonly id: number } & Partial<RecordQuery>,
  within: Rule = {},
): Promise<JsonText> {
  const where = $where ?? [];
  const found = await record(ctx.query, model, ctx.actor, id, {
    within,
    where,
    ...($select && { select: $select }),
  });
  if (!found) throw noRecord(id);
  return found;
}
