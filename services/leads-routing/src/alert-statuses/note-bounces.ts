import { randomUUID } from 'node:crypto';
import { system } from '@crm/auth';
import { emFor } from '@crm/data';
import { noteReport } from '@crm/dispatch';
import type { schedulingApi } from '@crm/scheduling/api';
import {
  type PeerContext,
  refusalIn,
  repeat,
  systemContext,
  type Worker,
  type WorkerContext,
} from '@crm/service';
import type { z } from 'zod';
import { identity, scheduling } from '../peers.ts';
import type { Settings } from '../settings.ts';
import { reportedQueues } from './reported-queues.ts';

type Work = Pick<WorkerContext, 'database' | 'peers' | 'clock' | 'log'>;
type Report = z.output<typeof schedulingApi.bounces.unmatched.output.element>;

/**
 * Fetches the reports about alerts and accounts from scheduling, which receives those about all e-mails, and forwards
 * the ones about accounts to identity. Repeating it changes nothing. A report that fails does not delay the others.
 */
export async function noteBounces(settings: Settings, work: Work): Promise<void> {
  const asking = { peers: work.peers, requestId: randomUUID() };
  const { bounces } = scheduling.asSystem(asking);
  const { accountMails } = identity.asSystem(asking);
  const tried = new Set<string>();
  let skip = 0;
  for (;;) {
    // The previous release of scheduling ignores `skip`.
    const reports = (await bounces.unmatched({ skip })).filter(({ key }) => !tried.has(key));
    if (reports.length === 0) return;
    const noted: Report[] = [];
    for (const report of reports) {
      tried.add(report.key);
      try {
        await noteBounce(settings, work, asking, report);
        noted.push(report);
      } catch (error) {
        skip++;
        work.log.warn(
          { err: error, key: report.key },
          'a bounced e-mail could not be recorded and will be retried',
        );
      }
    }
    if (noted.length === 0) continue;
    await accountMails.report({ reports: noted.map(({ reported_at, ...report }) => report) });
    await bounces.settle({ reports: noted.map(({ key, reported_at }) => ({ key, reported_at })) });
  }
}

async function noteBounce(
  settings: Settings,
  { database, clock }: Work,
  asking: PeerContext,
  { key, state, reason, is_unreachable }: Report,
): Promise<void> {
  const queues = reportedQueues(settings);
  const report = {
    reference: `dsn-${key}`,
    state,
    ...(reason !== null && { reason }),
    ...(is_unreachable && { block: 'unreachable' as const }),
  };
  const noted = await emFor(database.orm, system).transactional((em) =>
    noteReport(systemContext(em, asking.requestId, clock()), key, report, queues),
  );
  if (noted?.blocked) await queues[noted.blocked.queue]?.recordBlock?.(asking, noted.blocked, clock());
}

const everyMs = 10_000;

/** Records bounced e-mails. Any number of instances may run. While scheduling is unavailable, the reports wait there. */
export const bounceWorker =
  (settings: Settings): Worker =>
  async (context) =>
    repeat(
      'record bounced e-mails',
      everyMs,
      () =>
        noteBounces(settings, context).catch((error: unknown) => {
          if (refusalIn(error)?.name !== 'Unavailable') throw error;
        }),
      context.log,
    );
