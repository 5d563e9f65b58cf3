import type { Query } from '@crm/data';

/** Which generation of its token each of the sub-accounts has. Only for those that the caller was found to see. */
export async function generationsOf(
  query: Query,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await query('select id, generation from sub_accounts where id = any($1::int[])', [ids]);
  return new Map(rows.map(({ id, generation }) => [Number(id), Number(generation)]));
}
