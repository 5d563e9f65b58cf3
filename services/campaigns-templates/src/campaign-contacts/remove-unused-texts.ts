import { repeat, type Worker } from '@crm/service';
import { removeUnusedTexts } from './pinned-action.queries.ts';

const everyMs = 600_000;

/** Deletes texts of templates that no plan refers to any longer, in portions. */
export const templateTextsWorker: Worker = async ({ database: { query }, log }) =>
  repeat(
    'remove unused texts of templates',
    everyMs,
    async () => {
      while ((await removeUnusedTexts(query)) > 0);
    },
    log,
  );
