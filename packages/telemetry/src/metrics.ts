import {
  type Attributes,
  type Counter,
  type Histogram,
  metrics,
  type ObservableResult,
} from '@opentelemetry/api';
import { type Labels, metricTable, type Named } from './metric-table.ts';

/** Powers of two from 1 ms to 32 s, between which quantiles are estimated. */
const seconds = Array.from({ length: 16 }, (_, power) => 2 ** power / 1000);

/**
 * The meter of this process. Without metrics, which are off unless a port is set, everything that is recorded goes
 * nowhere; so instruments are created when something starts, which is after the metrics have.
 */
const meter = () => metrics.getMeter('crm');

/** Records how long something took, in milliseconds, as what `performance.now()` measures. */
export function durations<Name extends Named<'histogram'>>(
  name: Name,
): (ms: number, labels: Labels<Name>) => void {
  const { unit, description } = metricTable[name];
  const advice = { explicitBucketBoundaries: seconds };
  const histogram: Histogram = meter().createHistogram(name, { unit, description, advice });
  return (ms, labels) => histogram.record(ms / 1000, labels as Attributes);
}

/** Counts what happens. */
export function counts<Name extends Named<'counter'>>(name: Name): (labels: Labels<Name>) => void {
  const { unit, description } = metricTable[name];
  const counter: Counter = meter().createCounter(name, { unit, description });
  return (labels) => counter.add(1, labels as Attributes);
}

/** What is read of a metric, with its labels. */
export type Observe<Name extends Named<'observed' | 'observed total'>> = (
  value: number,
  labels: Labels<Name>,
) => void;

/**
 * Has metrics read whenever somebody asks for them, until the returned function is called. What cannot be read at that
 * moment is NaN, with which no alert fires: otherwise its last value would be reported again and again.
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
      // Thrown, it would keep the library from taking what was read before it.
    }
    for (const labels of missing.values()) result.observe(Number.NaN, labels);
  };
  instrument.addCallback(callback);
  return () => instrument.removeCallback(callback);
}
