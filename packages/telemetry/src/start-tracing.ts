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
  /** Decides whether a trace that starts here is recorded. Spans of an existing trace are recorded if that is. */
  readonly sample: () => boolean;
}

/** Records traces until the returned function is called, which sends the remaining spans. */
export function startTracing({ service, url, sample }: TracingOptions): () => Promise<void> {
  const named = resourceFromAttributes({ 'service.name': service, 'service.namespace': 'crm' });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    // The decision is made before a span begins.
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

/** A busy process has thousands of spans a second; those that do not fit into the queue are dropped. */
const queue = { maxQueueSize: 16_384, maxExportBatchSize: 2_048, scheduledDelayMillis: 2_000 };
