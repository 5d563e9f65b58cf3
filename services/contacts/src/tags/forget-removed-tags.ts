import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { forgetSomeTags } from './tag.queries.ts';

const everyMs = 60_000;

/** In portions, so that no single statement holds its locks for long. */
const most = 5_000;

/** Deletes the rows of removed tags, which no one sees any more, and all that refers to them. */
export async function forgetRemovedTags(query: Query): Promise<void> {
  while (await forgetSomeTags(query, most));
}

export const removedTagsWorker: Worker = async ({ database, log }) =>
  repeat('forget removed tags', everyMs, () => forgetRemovedTags(database.query), log);
