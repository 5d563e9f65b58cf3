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
 * Asks scheduling, which receives the reports about all e-mails, for those about alerts and about accounts, and passes the
 * latter on to identity. Doing it twice changes nothing. One that fails does not delay the others.
 */
export async function noteBounces(settings: Settings, work: Work): Promise<void> {
  const asking = { peers: work.peers, requestId: randomUUID() };
  const { bounces } = scheduling.asSystem(asking);
  const { accountMails } = identity.asSystem(asking);
  const tried = new Set<string>();
  let skip = 0;
  for (;;) {
    // A release before this one does not skip any.
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
        work.log.warn({ err: error, key: report.key }, 'an e-mail that came back is noted later');
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
