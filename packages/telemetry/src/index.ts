export { type Labels, type Metric, metricTable, type Named } from './metric-table.ts';
export { counts, durations, type Observe, observed } from './metrics.ts';
export {
  type Cause,
  currentCause,
  isTracing,
  linkTo,
  type OpenSpan,
  openSpan,
  type SpanFacts,
  traced,
  traceIds,
  traceparent,
} from './tracing.ts';
