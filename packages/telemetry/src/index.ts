export { type Labels, type Metric, metricTable, type Named } from './metric-table.ts';
export { counts, durations, type Observe, observed } from './metrics.ts';
