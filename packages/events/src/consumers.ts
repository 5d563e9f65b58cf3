import type { EventType } from './define-event.ts';

/** A subscription of a service to an event, with its effect as a predicate. */
export interface EventConsumer {
  readonly service: string;
  readonly event: EventType;
  readonly effect: string;
}

/** The consumers of an event, each service once with all its effects. */
export function consumersOf({ name }: EventType, consumers: readonly EventConsumer[]) {
  const all = consumers.filter(({ event }) => event.name === name);
  return [...Map.groupBy(all, ({ service }) => service)].map(([service, its]) => ({
    service,
    effect: its.map(({ effect }) => effect).join(' and '),
  }));
}
