import {
  communicationDispatched,
  communicationFailed,
  communicationMoved,
  communicationStopped,
} from '@crm/events';
import { publish } from '@crm/service';
import { communicationEventData } from '../communications/communication-event-data.ts';
import type { Settled } from './communication-dispatch.queries.ts';

const events = {
  Sent: communicationDispatched,
  Failed: communicationFailed,
  Dropped: communicationStopped,
} as const;

/** Publishes the outcome of each communication, except of those that are retried or whose outcome is unknown. */
export function publishOutcomes(origin: Parameters<typeof publish>[0], settled: readonly Settled[]): void {
  for (const one of settled) {
    if (one.is_moved) publish(origin, communicationMoved, one, communicationEventData(one));
    if (one.state === 'Scheduled' || one.state === 'Unknown') continue;
    publish(origin, events[one.state], one, communicationEventData(one));
  }
}
