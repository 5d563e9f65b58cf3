import { randomUUID } from 'node:crypto';
import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { noteReport, reportedIn } from '@crm/dispatch';
import { refusalIn, repeat, type Worker, type WorkerContext } from '@crm/service';
import { alertQueue } from '../alerts/dispatcher.ts';
import { identity, scheduling } from '../peers.ts';
import type { Settings } from '../settings.ts';

type Work = Pick<WorkerContext, 'database' | 'peers' | 'clock'>;

/**
 * Asks scheduling, which receives the reports about all e-mails, for those about alerts and about accounts, and passes the
 * latter on to identity. Doing it twice changes nothing.
 */
export async function noteBounces(settings: Settings, { database, peers, clock }: Work): Promise<void> {
  const asking = { peers, requestId: randomUUID() };
  const { bounces } = scheduling.asSystem(asking);
  const queue = reportedIn(alertQueue(settings));
  const reports = await bounces.unmatched({});
  for (const { key, state, reason, is_unreachable } of reports) {
    const report = {
      reference: `dsn-${key}`,
      state,
      ...(reason !== null && { reason }),
      ...(is_unreachable && { ends: 'unreachable' as const }),
    };
    const noted = await emFor(database.orm, system).transactional(async (em) => {
      const now = clock();
      const ctx = { em, query: queryIn(em), requestId: asking.requestId, now: () => now };
      return noteReport(ctx, key, report, [queue]);
    });
    if (noted?.ended) await queue.noteEnd?.(asking, noted.ended, clock());
  }
  if (reports.length === 0) return;
  const { accountMails } = identity.asSystem(asking);
  await accountMails.report({ reports: reports.map(({ reported_at, ...report }) => report) });
  await bounces.settle({ reports: reports.map(({ key, reported_at }) => ({ key, reported_at })) });
}

const everyMs = 10_000;

/** Any number of instances may run. While scheduling is unavailable, the reports wait there. */
export const bounceWorker =
  (settings: Settings): Worker =>
  async (context) =>
    repeat(
      'note which alerts came back',
      everyMs,
      () =>
        noteBounces(settings, context).catch((error: unknown) => {
          if (refusalIn(error)?.name !== 'Unavailable') throw error;
        }),
      context.log,
    );
