import { listDeadLetters } from '@crm/messaging';
import { withBroker } from '../commands/dead-letters.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const enough = 100;

/** Whether messages lie in the broker that nobody could handle. */
export async function lookAtDeadLetters(natsUrl: string): Promise<Finding> {
  const part = 'Dead letters';
  try {
    const { length } = await withBroker(natsUrl, (broker) => listDeadLetters(broker, { limit: enough }));
    if (length === 0) return ok(part, 'none');
    const detail = `messages that could not be handled: ${length === enough ? `${length} or more` : length}`;
    return warning(
      part,
      detail,
      'See `npm run crm -- dead-letters list`; mend the cause, then redrive them.',
    );
  } catch (error) {
    const { host } = new URL(natsUrl.split(',')[0] ?? '');
    const reason = error instanceof Error ? error.message : String(error);
    return problem(part, `NATS at ${host} cannot be asked: ${reason}`, 'Start NATS again, or mend NATS_URL.');
  }
}
