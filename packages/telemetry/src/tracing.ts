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

/** What something follows from: a span, as W3C `traceparent`, and when that was in ISO 8601, unless it is now. */
export interface Cause {
  readonly traceparent?: string | undefined;
  readonly at?: string | undefined;
}

export interface SpanFacts {
  /** Instead of the given name, if finding it costs something. */
  readonly name?: string;
  readonly kind?: keyof typeof kinds;
  readonly attributes?: Attributes;
  /** What it follows from, if that is not the work in which it happens. */
  readonly causes?: readonly Cause[];
  /** Whether it is recorded although it belongs to nothing. Otherwise what services do by themselves would be. */
  readonly mayBegin?: boolean;
  /** Whether an error is an answer like any other. */
  readonly isExpected?: (error: unknown) => boolean;
}

/** A span that has begun. */
export interface OpenSpan {
  /** What begins in `work` belongs to the span. */
  within<Result>(work: () => Result): Result;
  set(attributes: Attributes): void;
  fail(error: unknown): void;
  end(): void;
}

let isOn = false;

/** Whether this process records traces. While it does not, nothing here costs anything. */
export const isTracing = (): boolean => isOn;

/** Called when traces are recorded from now on, or no longer. */
export function switchTracing(isRecorded: boolean): void {
  isOn = isRecorded;
}

/** Does work as a span, if traces are recorded. */
export function traced<Result>(
  name: string,
  facts: () => SpanFacts,
  work: () => Promise<Result>,
): Promise<Result> {
  return isOn && !isLeftOut() ? recorded(name, facts(), work) : work();
}

/** Whether the current work belongs to a trace that is not recorded, and carries the same `traceparent` on. */
function isLeftOut(): boolean {
  const current = trace.getActiveSpan()?.spanContext();
  return current !== undefined && (current.traceFlags & TraceFlags.SAMPLED) === 0;
}

async function recorded<Result>(
  name: string,
  facts: SpanFacts,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = openSpan(name, facts);
  if (!span) return work();
  try {
    return await span.within(work);
  } catch (error) {
    if (!facts.isExpected?.(error)) span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Begins a span; undefined if it is not recorded. */
export function openSpan(name: string, facts: SpanFacts): OpenSpan | undefined {
  if (!isOn) return undefined;
  const { kind = 'internal', attributes = {}, causes, mayBegin = false } = facts;
  const { parent, links } = originOf(causes);
  if (!mayBegin && links.length === 0 && !trace.getSpanContext(parent)) return undefined;
  const options = { kind: kinds[kind], attributes, links };
  const span = trace.getTracer('crm').startSpan(facts.name ?? name, options, parent);
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

/** The current span, to be carried to whatever follows from it; undefined if there is none. */
export function traceparent(): string | undefined {
  if (!isOn) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The current span as a cause of what is done later; undefined if there is none. */
export function currentCause(): Required<Cause> | undefined {
  const span = traceparent();
  return span === undefined ? undefined : { traceparent: span, at: new Date(nowMs()).toISOString() };
}

/** By the clock that also times spans. */
const nowMs = () => performance.timeOrigin + performance.now();

/** Has the current span refer to another one that it has to do with. */
export function linkTo(other: string | undefined): void {
  const found = isOn ? spanContextOf(other) : undefined;
  if (found) trace.getActiveSpan()?.addLink({ context: found });
}

/** The ids of the current span, for the log. */
export function traceIds(): { readonly trace_id: string; readonly span_id: string } | undefined {
  const current = isOn ? trace.getActiveSpan()?.spanContext() : undefined;
  return current && { trace_id: current.traceId, span_id: current.spanId };
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** What happens later is a trace of its own with a link to its cause: a trace that lasts for days can be stored nowhere. */
const sameTraceMs = 600_000;

/** What follows soon from things of one trace belongs to it. */
function originOf(causes: readonly Cause[] | undefined): { parent: Context; links: Link[] } {
  if (!causes) return { parent: context.active(), links: [] };
  const known = causes.flatMap((cause) => {
    const found = spanContextOf(cause.traceparent);
    return found ? [{ context: found, isRecent: isRecent(cause) }] : [];
  });
  const [first] = known;
  const isOne = known.every((one) => one.isRecent && one.context.traceId === first?.context.traceId);
  if (first && isOne) return { parent: trace.setSpanContext(ROOT_CONTEXT, first.context), links: [] };
  return { parent: ROOT_CONTEXT, links: known.map((one) => ({ context: one.context })) };
}

const isRecent = ({ at }: Cause) => at === undefined || nowMs() - Date.parse(at) < sameTraceMs;

const spanContextOf = (carried: string | undefined): SpanContext | undefined =>
  carried ? trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent: carried })) : undefined;
