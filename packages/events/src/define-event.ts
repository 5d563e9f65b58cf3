import type { z } from 'zod';

/** A fact that other services may hear of: its name, the noun it is about, and the shape of what is told. */
export interface EventType<Data extends z.ZodType = z.ZodType> {
  /** `<service>.<noun>.<participle>`; its NATS subject is `crm.` and the name. */
  readonly name: EventName;
  /** The publisher, and so the stream. */
  readonly service: string;
  /** The aggregate the fact is about. */
  readonly noun: string;
  readonly summary: string;
  readonly data: Data;
}

export type EventName = `${string}.${string}.${string}`;

/** Declares an event; the three parts of the name are lower-case words joined by dots, hyphens allowed inside a word. */
export function defineEvent<Data extends z.ZodType>(
  name: EventName,
  summary: string,
  data: Data,
): EventType<Data> {
  const [service, noun] = name.split('.');
  if (!service || !noun || !/^[a-z-]+\.[a-z-]+\.[a-z-]+$/.test(name)) {
    throw new Error(`An event is named <service>.<noun>.<participle>; «${name}» is not.`);
  }
  return { name, service, noun, summary, data };
}

export interface Publisher<Service extends string> {
  /** Those defined so far, in this order. */
  readonly events: readonly EventType[];
  readonly defineEvent: <Data extends z.ZodType>(
    name: `${Service}.${string}.${string}`,
    summary: string,
    data: Data,
  ) => EventType<Data>;
}

/** What a service says: every event that it defines is among its `events`, so that none is left out of the documents. */
export function publisher<Service extends string>(): Publisher<Service> {
  const events: EventType[] = [];
  return {
    events,
    defineEvent(name, summary, data) {
      const event = defineEvent(name, summary, data);
      events.push(event);
      return event;
    },
  };
}

/** The NATS subject an event travels under. */
export const subjectOf = (event: Pick<EventType, 'name'>): string => `crm.${event.name}`;
