import { listDeadLetters } from '@crm/messaging';
import { withBroker } from '../system/with-broker.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const limit = 100;

/** Whether the broker has events that could not be handled. */
export async function checkDeadLetters(natsUrl: string): Promise<Finding> {
  const part = 'Dead letters';
  try {
    const { length } = await withBroker(natsUrl, (broker) => listDeadLetters(broker, { limit }));
    if (length === 0) return ok(part, 'none');
    const detail = `events that could not be handled: ${length === limit ? `${length} or more` : length}`;
    return warning(part, detail, 'See `npm run crm -- dead-letters list`, fix the cause, then redrive them.');
  } catch (error) {
    const { host } = new URL(natsUrl.split(',')[0] ?? '');
    const reason = error instanceof Error ? error.message : String(error);
    return problem(part, `NATS at ${host} is unavailable: ${reason}`, 'Restart NATS or correct NATS_URL.');
  }
}
