import type { MetricsOptions } from '@crm/telemetry/start';
import { host, port } from './variables.ts';

export const metricsVariables = {
  METRICS_PORT: port(1, 65_535).optional(),
  METRICS_HOST: host.default('127.0.0.1'),
};

/** Where a process serves its metrics; undefined if it has none. */
export function metricsOptionsOf(read: {
  readonly METRICS_PORT?: number | undefined;
  readonly METRICS_HOST: string;
}): MetricsOptions | undefined {
  const { METRICS_PORT, METRICS_HOST } = read;
  return METRICS_PORT === undefined ? undefined : { host: METRICS_HOST, port: METRICS_PORT };
}

/** Starts the metrics of this process if it has any. What they need is loaded only then. */
export async function startMetricsOf(options: MetricsOptions | undefined): Promise<void> {
  if (!options) return;
  const { startMetrics } = await import('@crm/telemetry/start');
  await startMetrics(options);
}
