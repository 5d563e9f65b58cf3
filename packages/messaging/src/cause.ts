import type { CloudEvent } from '@crm/events';
import type { SpanCause } from '@crm/telemetry';

/** The span that an event follows from. */
export const spanCauseOf = ({ traceparent, time }: Pick<CloudEvent, 'traceparent' | 'time'>): SpanCause => ({
  traceparent,
  at: time,
});
