import { communicationDispatched, communicationFailed, communicationStopped } from '@crm/events';
import { publish } from '@crm/service';
import { communicationEventData } from '../communications/communication-event-data.ts';
import type { Settled } from './communication-dispatch.queries.ts';

const events = {
  Sent: communicationDispatched,
  Failed: communicationFailed,
  Dropped: communicationStopped,
} as const;

/** Says of each communication what became of it; of one that is tried again nothing is said. */
export function publishOutcomes(origin: Parameters<typeof publish>[0], all: readonly Settled[]): void {
  for (const one of all) {
    if (one.state !== 'Scheduled') publish(origin, events[one.state], one, communicationEventData(one));
  }
}
