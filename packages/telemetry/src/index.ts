export type { Labels, Metric, Named } from './metric-table.ts';
export { counts, durations, type Observe, observed } from './metrics.ts';
export {
  beginTrace,
  type SpanCause,
  currentCause,
  isRecorded,
  linkTo,
  type OpenSpan,
  type SpanOrigin,
  type SpanFacts,
  traced,
  traceIds,
  traceparent,
} from './tracing.ts';
