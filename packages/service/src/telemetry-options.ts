import type { MetricsOptions } from '@crm/telemetry/start';
import type { TracingOptions } from '@crm/telemetry/start-tracing';
import type { z } from 'zod';
import { host, httpUrl, port, type Sampler, sampler, share } from './variables.ts';

/** Named as in OpenTelemetry, whose exporter itself reads further variables, such as those for headers. */
const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_TRACES_SAMPLER: sampler.default('parentbased_traceidratio'),
  OTEL_TRACES_SAMPLER_ARG: share.default(0.05),
};

/**
 * A trace is sampled once, where it begins, and everything that belongs to it follows that decision, which therefore need not
 * be derived from its id. Samplers of OpenTelemetry decide in each process and would record parts of traces.
 */
const samplers: Readonly<Record<Sampler, (share: number) => TracingOptions['sample']>> = {
  parentbased_traceidratio: (share) => () => Math.random() < share,
  parentbased_always_on: () => () => true,
  parentbased_always_off: () => () => false,
};

export const telemetryVariables = {
  METRICS_PORT: port(1, 65_535).optional(),
  METRICS_HOST: host.default('127.0.0.1'),
  ...tracingVariables,
};

/** Where a process exports its metrics and traces. */
export interface TelemetryOptions {
  /** Where it serves its metrics; undefined if it has none. */
  readonly metrics: MetricsOptions | undefined;
  /** Where it sends its traces; undefined if it records none. */
  readonly tracing: Omit<TracingOptions, 'service'> | undefined;
}

type Read = z.output<z.ZodObject<typeof telemetryVariables>>;

export function telemetryOptionsOf(read: Read): TelemetryOptions {
  const { METRICS_PORT, METRICS_HOST, OTEL_EXPORTER_OTLP_ENDPOINT: base } = read;
  const url = read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/$/, '')}/v1/traces`);
  return {
    metrics: METRICS_PORT === undefined ? undefined : { host: METRICS_HOST, port: METRICS_PORT },
    tracing:
      url === undefined
        ? undefined
        : { url, sample: samplers[read.OTEL_TRACES_SAMPLER](read.OTEL_TRACES_SAMPLER_ARG) },
  };
}

/** The tracing variables that a process of this system gets from the process that starts it. */
export const tracingEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('OTEL_')));

/**
 * Starts the metrics and traces of this process if it has any; the modules for them are loaded only then. The returned function
 * sends the remaining traces.
 */
export async function startTelemetry(
  { metrics, tracing }: TelemetryOptions,
  service: string,
): Promise<() => Promise<void>> {
  if (metrics) {
    const { startMetrics } = await import('@crm/telemetry/start');
    await startMetrics(metrics);
  }
  if (!tracing) return async () => undefined;
  const { startTracing } = await import('@crm/telemetry/start-tracing');
  return startTracing({ ...tracing, service });
}
