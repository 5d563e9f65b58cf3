export type { Labels } from './metric-table.ts';
export { counts, durations, observed } from './metrics.ts';
export {
  beginTrace,
  currentCause,
  isRecorded,
  linkTo,
  type OpenSpan,
  type SpanCause,
  type SpanFacts,
  type SpanOrigin,
  traced,
  traceIds,
  traceparent,
} from './tracing.ts';
