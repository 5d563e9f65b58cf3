import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

/** The origin of work: a span, as W3C `traceparent`, and its time in ISO 8601, unless that is now. */
export interface SpanCause {
  readonly traceparent?: string | undefined;
  readonly at?: string | undefined;
}

/** The attributes of a span, which are determined only if it is recorded. */
export interface SpanFacts {
  readonly name: string;
  readonly kind?: keyof typeof kinds;
  readonly attributes?: Attributes;
  /** Whether an error is a normal response. */
  readonly isExpected?: (error: unknown) => boolean;
}

/** The origin of a span, if that is not the current span. */
export interface SpanOrigin {
  /** The spans that it follows from. It is recorded if the trace of one of them is. */
  readonly causes?: () => readonly SpanCause[];
  /** Whether it may start a trace if it belongs to none. Otherwise the background work of services would be recorded. */
  readonly mayBegin?: () => boolean;
}

/** A span that has begun. */
export interface OpenSpan {
  /** Everything that starts in `work` belongs to the span. */
  within<Result>(work: () => Result): Result;
  set(attributes: Attributes): void;
  fail(error: unknown): void;
  end(): void;
}

/** Decides whether a new trace is recorded; undefined while none is. */
let sample: (() => boolean) | undefined;

/** From now on records the traces that a sampler selects, or none. */
export function setSampler(sampler: (() => boolean) | undefined): void {
  sample = sampler;
}

/**
 * Runs work as a span, if its trace is recorded. An unrecorded trace has no context at all, here and wherever it leads, so that
 * it costs nothing.
 */
export function traced<Result>(
  facts: () => SpanFacts,
  work: () => Promise<Result>,
  origin?: SpanOrigin,
): Promise<Result> {
  const place = sample && placeOf(origin);
  return place ? recorded(place, facts(), work) : work();
}

async function recorded<Result>(
  place: Place,
  facts: SpanFacts,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = openSpan(place, facts);
  try {
    return await span.within(work);
  } catch (error) {
    if (!facts.isExpected?.(error)) span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Starts a trace; undefined if it is not recorded. */
export function beginTrace(facts: () => SpanFacts): OpenSpan | undefined {
  return sample?.() ? openSpan(root, facts()) : undefined;
}

function openSpan({ parent, links }: Place, { name, kind = 'internal', attributes }: SpanFacts): OpenSpan {
  const span = trace.getTracer('crm').startSpan(name, { kind: kinds[kind], attributes, links }, parent);
  const own = trace.setSpan(parent, span);
  return {
    within: (work) => context.with(own, work),
    set: (more) => void span.setAttributes(more),
    fail(error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
    end: () => span.end(),
  };
}

/** The current span, to be passed on to work that follows from it; undefined if there is none. */
export function traceparent(): string | undefined {
  const active = sample && context.active();
  if (!active || !trace.getSpan(active)) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(active, carrier);
  return carrier.traceparent;
}

/** Whether the current work belongs to a recorded trace. */
export const isRecorded = (): boolean => traceparent() !== undefined;

/** The current span as the cause of deferred work; undefined if there is none. */
export function currentCause(): Required<SpanCause> | undefined {
  const span = traceparent();
  return span === undefined ? undefined : { traceparent: span, at: new Date(nowMs()).toISOString() };
}

/** Uses the same clock as spans. */
const nowMs = () => performance.timeOrigin + performance.now();

/** Links the current span to a related one. */
export function linkTo(other: string | undefined): void {
  const span = sample && other !== undefined ? trace.getActiveSpan() : undefined;
  const found = span && spanContextOf(other);
  if (found && found.spanId !== span.spanContext().spanId) span.addLink({ context: found });
}

/** The ids of the current span, for the log. */
export function traceIds(): { readonly trace_id: string; readonly span_id: string } | undefined {
  const current = sample && trace.getActiveSpan()?.spanContext();
  return current && { trace_id: current.traceId, span_id: current.spanId };
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** The position of a recorded span in its trace. */
interface Place {
  readonly parent: Context;
  readonly links: Link[];
}

const root: Place = { parent: ROOT_CONTEXT, links: [] };

function placeOf({ causes, mayBegin }: SpanOrigin = {}): Place | undefined {
  if (causes) return placeAfter(causes());
  const parent = context.active();
  if (trace.getSpan(parent)) return { parent, links: [] };
  return mayBegin?.() && sample?.() ? root : undefined;
}

/** Deferred work is a separate trace with a link to its cause, because no store can hold a trace that lasts for days. */
const sameTraceMs = 600_000;

/** Work that soon follows from spans of one trace belongs to that trace. */
function placeAfter(causes: readonly SpanCause[]): Place | undefined {
  const known = causes.flatMap((cause) => {
    const found = spanContextOf(cause.traceparent);
    return found && isSampled(found) ? [{ context: found, isRecent: isRecent(cause) }] : [];
  });
  const [first] = known;
  if (!first) return undefined;
  const isOne = known.every((one) => one.isRecent && one.context.traceId === first.context.traceId);
  if (isOne) return { parent: trace.setSpanContext(ROOT_CONTEXT, first.context), links: [] };
  return { parent: ROOT_CONTEXT, links: known.map((one) => ({ context: one.context })) };
}

/** A caller of another team may send the context of a trace that it does not record. */
const isSampled = ({ traceFlags }: SpanContext) => (traceFlags & TraceFlags.SAMPLED) !== 0;

const isRecent = ({ at }: SpanCause) => at === undefined || nowMs() - Date.parse(at) < sameTraceMs;

const spanContextOf = (carried: string | undefined): SpanContext | undefined =>
  carried ? trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent: carried })) : undefined;
