import type { Rule } from '@crm/auth';
import { type Binds, sqlOfRule } from '@crm/query';
import type { ReadModel } from './read-model.ts';

/**
 * Similar words are not searched for if the statement has taken longer than `ms` by then and the user sees more than `records`.
 */
export interface Patience {
  readonly ms: number;
  readonly records: number;
}

/** Similar words take up to three times as long as the same ones, and a read has a second. */
export const patient: Patience = { ms: 200, records: 100_000 };

/** SQL for whether there is time for a second pass over the records that are visible for some reasons. */
export function isWorthWaiting(
  reasons: readonly Rule[],
  { table, columns }: ReadModel,
  { ms, records }: Patience,
  binds: Binds,
): string {
  const seen = reasons.map(
    (reason) => `(select id from ${table} where ${sqlOfRule(reason, columns, binds)} limit ${records + 1})`,
  );
  return `case when clock_timestamp() < statement_timestamp() + interval '${ms} milliseconds' then true
    else (select count(*) from (${seen.join(' union ')}) seen) <= ${records} end`;
}
