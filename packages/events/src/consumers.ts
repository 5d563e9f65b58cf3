import type { EventType } from './define-event.ts';

/** That a service listens to an event, and what it then does, as a predicate. */
export interface EventConsumer {
  readonly service: string;
  readonly event: EventType;
  readonly effect: string;
}

/** Who hears of an event, each service once with all that it does. */
export function consumersOf({ name }: EventType, consumers: readonly EventConsumer[]) {
  const all = consumers.filter(({ event }) => event.name === name);
  return [...Map.groupBy(all, ({ service }) => service)].map(([service, its]) => ({
    service,
    effect: its.map(({ effect }) => effect).join(' and '),
  }));
}
