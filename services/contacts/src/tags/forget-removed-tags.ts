import { repeat, type Worker } from '@crm/service';
import { forgetRemovedTags } from './tag.queries.ts';

const everyMs = 60_000;

export const removedTagsWorker: Worker = async ({ database, log }) =>
  repeat('forget removed tags', everyMs, () => forgetRemovedTags(database.query), log);
