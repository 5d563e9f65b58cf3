import { streamDays } from '@crm/events';
import { type Backlog, listBacklogs, listUnread, type Unread } from '@crm/messaging';
import { readsEventsOf, serviceNames } from '../system/services.ts';
import { withBroker } from '../system/with-broker.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const hour = 3_600_000;
/** Half of the time that the broker keeps events. */
const longestMs = (streamDays / 2) * 24 * hour;

/** Events in the broker that services have not handled yet, or do not read at all. */
export async function checkBrokerAt(natsUrl: string): Promise<Finding[]> {
  try {
    return await withBroker(natsUrl, async (broker) => [
      ...(await listUnread(broker, readsEventsOf)).map(unreadFinding),
      ...(await listBacklogs(broker, serviceNames)).map((one) => backlogFinding(one, Date.now())),
    ]);
  } catch (error) {
    const { host } = new URL(natsUrl.split(',')[0] ?? '');
    const reason = error instanceof Error ? error.message : String(error);
    return [
      problem('Events', `NATS at ${host} is unavailable: ${reason}`, 'Restart NATS or correct NATS_URL.'),
    ];
  }
}

/** Events normally wait for moments, and for hours only if their service is not running. Eventually the broker discards them. */
export function backlogFinding({ publisher, consumer, waiting, since }: Backlog, now: number): Finding {
  const part = `${consumer} events`;
  const age = now - since.getTime();
  const detail = `${waiting} of ${publisher} are waiting, the oldest since ${since.toISOString()}`;
  if (age < hour) return ok(part, detail);
  const fix = `Start ${consumer}, or check its log; the broker keeps events for ${streamDays} days.`;
  return (age < longestMs ? warning : problem)(part, detail, fix);
}

/** A new release may read events that the previous one did not, and that the users of an older configuration may not read. */
export const unreadFinding = ({ publisher, consumer, exists }: Unread): Finding =>
  problem(
    `${consumer} events`,
    exists ? `nobody reads those of ${publisher}` : `there is no consumer of those of ${publisher}`,
    `Start ${consumer}; if it runs, renew the users of NATS (docs/operations/upgrade.md) and see its log.`,
  );
