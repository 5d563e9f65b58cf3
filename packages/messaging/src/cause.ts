import type { CloudEvent } from '@crm/events';
import type { Cause } from '@crm/telemetry';

/** The span that an event follows from. */
export const causeOf = ({ traceparent, time }: Pick<CloudEvent, 'traceparent' | 'time'>): Cause => ({
  traceparent,
  at: time,
});
