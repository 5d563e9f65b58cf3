import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { forgetSomeTags } from './tag.queries.ts';

const everyMs = 60_000;

/** In batches, so that no statement holds its locks for long. */
const batchSize = 5_000;

/** Deletes the rows of removed tags, which are hidden already, and the rows that refer to them. */
export async function forgetRemovedTags(query: Query): Promise<void> {
  while (await forgetSomeTags(query, batchSize));
}

export const removedTagsWorker: Worker = async ({ database, log }) =>
  repeat('forget removed tags', everyMs, () => forgetRemovedTags(database.query), log);
