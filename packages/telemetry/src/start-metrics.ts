import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { observeProcess } from './process-metrics.ts';

export interface MetricsOptions {
  readonly host: string;
  readonly port: number;
}

/**
 * Records metrics until the returned function is called, and serves them at `/metrics` on a separate port, in the text format of
 * Prometheus. Throws if the port is in use.
 */
export async function startMetrics({ host, port }: MetricsOptions): Promise<() => Promise<void>> {
  const exporter = new PrometheusExporter({
    host,
    port,
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  await exporter.startServer();
  const provider = new MeterProvider({ readers: [exporter] });
  metrics.setGlobalMeterProvider(provider);
  observeProcess();
  return async () => {
    metrics.disable();
    await provider.shutdown();
  };
}
