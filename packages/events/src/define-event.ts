import type { z } from 'zod';

/** A domain event that other services can subscribe to. */
export interface EventType<Data extends z.ZodType = z.ZodType> {
  /** `<service>.<noun>.<participle>`; its NATS subject is `crm.` and the name. */
  readonly name: EventName;
  /** The publisher, which determines the stream. */
  readonly service: string;
  /** The kind of aggregate that it is about. */
  readonly noun: string;
  readonly summary: string;
  readonly data: Data;
}

export type EventName = `${string}.${string}.${string}`;

/** Declares a domain event. The three parts of its name are lower-case words, in which hyphens are allowed. */
export function defineEvent<Data extends z.ZodType>(
  name: EventName,
  summary: string,
  data: Data,
): EventType<Data> {
  const [service, noun] = name.split('.');
  if (!service || !noun || !/^[a-z-]+\.[a-z-]+\.[a-z-]+$/.test(name)) {
    throw new Error(
      `An event name must have the form <service>.<noun>.<participle>, but "${name}" does not.`,
    );
  }
  return { name, service, noun, summary, data };
}

interface Publisher<Service extends string> {
  /** The events defined so far, in that order. */
  readonly events: readonly EventType[];
  readonly defineEvent: <Data extends z.ZodType>(
    name: `${Service}.${string}.${string}`,
    summary: string,
    data: Data,
  ) => EventType<Data>;
}

/** Collects the events that a service defines in `events`, so that none is missing from the documents. */
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

/** The NATS subject of an event. */
export const subjectOf = (event: Pick<EventType, 'name'>): string => `crm.${event.name}`;
