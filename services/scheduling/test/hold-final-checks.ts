import { setTimeout as sleep } from 'node:timers/promises';
import { queryIn } from '@crm/data';
import { clearCrashPoints, setCrashPoint } from '@crm/dispatch';
import type { dispatchUnderTest } from './dispatch.ts';

/** Holds the final checks of rows until those of all instances have begun. */
export const holdingFinalChecks =
  ({ workerContext }: Pick<Awaited<ReturnType<typeof dispatchUnderTest>>, 'workerContext'>) =>
  (ids: readonly number[]) => {
    let planned = 0;
    const held = Promise.withResolvers<void>();
    const hold = async () => {
      const em = workerContext.database.orm.em.fork({ clear: true });
      await em.transactional(async (tx) => {
        await queryIn(tx)('select from communications where id = any($1::int[]) for update', [ids]);
        held.resolve();
        await sleep(500);
      });
    };
    setCrashPoint('communication.planned', async () => {
      planned += 1;
      if (planned === ids.length) {
        clearCrashPoints();
        hold().catch(held.reject);
      }
      await held.promise;
    });
  };
