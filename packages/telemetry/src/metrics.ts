import { type Attributes, metrics, type ObservableResult } from '@opentelemetry/api';
import { type Labels, metricTable, type Named } from './metric-table.ts';

/** Powers of two from 1 ms to 32 s, between which quantiles are estimated. */
const seconds = Array.from({ length: 16 }, (_, power) => 2 ** power / 1000);

/**
 * The meter of this process. Without metrics, which are off unless a port is set, recorded values are dropped. Instruments are
 * therefore created only when a component starts, after the metrics have started.
 */
const meter = () => metrics.getMeter('crm');

/** Records durations in milliseconds, as measured with `performance.now()`. */
export function durations<Name extends Named<'histogram'>>(
  name: Name,
): (ms: number, labels: Labels<Name>) => void {
  const { unit, description } = metricTable[name];
  const advice = { explicitBucketBoundaries: seconds };
  const histogram = meter().createHistogram(name, { unit, description, advice });
  return (ms, labels) => histogram.record(ms / 1000, labels as Attributes);
}

/** Counts events. */
export function counts<Name extends Named<'counter'>>(name: Name): (labels: Labels<Name>) => void {
  const { unit, description } = metricTable[name];
  const counter = meter().createCounter(name, { unit, description });
  return (labels) => counter.add(1, labels as Attributes);
}

/** The values of a metric with their labels. */
export type Observe<Name extends Named<'observed' | 'observed total'>> = (
  value: number,
  labels: Labels<Name>,
) => void;

/**
 * Reads metrics whenever they are requested, until the returned function is called. A value that cannot be read is NaN, with
 * which no alert fires: otherwise the last value would be reported again and again.
 */
export function observed<Name extends Named<'observed' | 'observed total'>>(
  name: Name,
  read: (observe: Observe<Name>) => void | Promise<void>,
): () => void {
  const { unit, description, kind } = metricTable[name];
  const instrument =
    kind === 'observed total'
      ? meter().createObservableCounter(name, { unit, description })
      : meter().createObservableGauge(name, { unit, description });
  const known = new Map<string, Attributes>();
  const callback = async (result: ObservableResult) => {
    const missing = new Map(known);
    try {
      await read((value, given) => {
        const labels: Attributes = given;
        known.set(JSON.stringify(labels), labels);
        missing.delete(JSON.stringify(labels));
        result.observe(value, labels);
      });
    } catch {
      // If it were thrown, the library would drop the values read before.
    }
    for (const labels of missing.values()) result.observe(Number.NaN, labels);
  };
  instrument.addCallback(callback);
  return () => instrument.removeCallback(callback);
}
