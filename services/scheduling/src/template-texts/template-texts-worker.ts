import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { repeat, type Worker, type WorkerContext } from '@crm/service';
import { lockUnchecked, moveTexts, removeUnused } from './template-text.queries.ts';

type Work = Pick<WorkerContext, 'database'>;

/** Removes texts that no communication refers to, in portions. */
export async function removeUnusedTexts({ database: { orm } }: Work): Promise<void> {
  const removeSome = () =>
    emFor(orm, system).transactional(async (em) => {
      const query = queryIn(em);
      const digests = await lockUnchecked(query);
      // A separate statement, because its snapshot must be newer than the locks.
      await removeUnused(query, digests);
      return digests.length;
    });
  while ((await removeSome()) > 0);
}

/** The removal is not urgent; moving texts soon after an update keeps the table small. */
const removeEveryMs = 600_000;
const moveEveryMs = 10_000;

export const templateTextsWorker: Worker = async (context) => {
  const workers = [
    repeat('remove unused texts of templates', removeEveryMs, () => removeUnusedTexts(context), context.log),
    repeat('move texts of communications', moveEveryMs, () => moveTexts(context.database.query), context.log),
  ];
  return { stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))) };
};
