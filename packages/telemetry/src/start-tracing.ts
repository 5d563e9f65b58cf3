import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { setSampler } from './tracing.ts';

export interface TracingOptions {
  /** The name of the process, unless `OTEL_SERVICE_NAME` gives it another one. */
  readonly service: string;
  /** Where spans are sent, as OTLP over HTTP. */
  readonly url: string;
  /** Decides whether a trace that begins here is recorded. What belongs to a trace is recorded as that is. */
  readonly sample: () => boolean;
}

/** Records traces from now on, until the returned function is called, which sends what is left. */
export function startTracing({ service, url, sample }: TracingOptions): () => Promise<void> {
  const named = resourceFromAttributes({ 'service.name': service, 'service.namespace': 'crm' });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    // Whether a span is recorded has been decided before it begins.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }), ...queue })],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  setSampler(sample);
  return async () => {
    setSampler(undefined);
    await provider.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  };
}

/** A busy process has thousands of spans a second; what finds no room is dropped. */
const queue = { maxQueueSize: 16_384, maxExportBatchSize: 2_048, scheduledDelayMillis: 2_000 };
