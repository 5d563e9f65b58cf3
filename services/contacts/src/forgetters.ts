import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { forgetOperations } from './bulk-operations/forget-operations.ts';
import { forgetRemoved } from './forget-removed.ts';
import { forgetImportedRows } from './imported-rows/imported-row.queries.ts';
import { forgetRemovedTags } from './tags/tag.queries.ts';

const minuteMs = 60_000;

const forgetting =
  (what: string, everyMs: number, forget: (query: Query) => Promise<void>): Worker =>
  async ({ database, log }) =>
    repeat(`forget ${what}`, everyMs, () => forget(database.query), log);

/** Workers that delete what is hidden or no longer needed. */
export const forgetters: readonly Worker[] = [
  forgetting('removed tags', minuteMs, forgetRemovedTags),
  forgetting('removed custom fields and static lists', minuteMs, forgetRemoved),
  forgetting('imported rows', 60 * minuteMs, forgetImportedRows),
  forgetting('bulk operations', 60 * minuteMs, forgetOperations),
];
