import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { observeProcess } from './process-metrics.ts';

export interface MetricsOptions {
  readonly host: string;
  readonly port: number;
}

/**
 * Records metrics from now on, and serves them at `/metrics` on a port of their own, in the text format of Prometheus. Throws
 * if the port is taken.
 */
export async function startMetrics({ host, port }: MetricsOptions): Promise<void> {
  const exporter = new PrometheusExporter({
    host,
    port,
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  await exporter.startServer();
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [exporter] }));
  observeProcess();
}
