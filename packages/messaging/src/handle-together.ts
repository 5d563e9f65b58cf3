import { isDatabaseUnavailable } from '@crm/data';
import { type SpanFacts, traced } from '@crm/telemetry';
import type { EntityManager } from '@mikro-orm/postgresql';
import { spanCauseOf } from './cause.ts';
import { forgetFailures } from './failures.ts';
import { handleEvents } from './handle-events.ts';
import type { KnownEvent } from './read-event.ts';

/** An event to be handled. */
export interface Arrived {
  readonly known: KnownEvent;
  /** Whether it was delivered before. */
  readonly isRepeated: boolean;
}

/**
 * The outcome of an event. An error before the database has responded, or because it is unavailable or a table is locked, is
 * not a failure of the event.
 */
export type Handled =
  | { readonly is: 'done' }
  | { readonly is: 'failed' | 'unavailable'; readonly error: unknown };

interface Handling {
  readonly service: string;
  readonly openEm: () => EntityManager;
}

/** Handles events in one transaction; if it fails, each of them in its own. If there are several, they have to be joinable. */
export async function handleTogether(context: Handling, arrived: readonly Arrived[]): Promise<Handled[]> {
  return traced(
    () => spanOf(context, arrived),
    () => handle(context, arrived),
    { causes: () => arrived.map(({ known }) => spanCauseOf(known.event)) },
  );
}

function spanOf({ service }: Handling, arrived: readonly Arrived[]): SpanFacts {
  const [first] = arrived;
  const types = new Set(arrived.map(({ known }) => known.event.type));
  return {
    name: `handle ${[...types].join(', ')}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'nats',
      'messaging.operation.name': 'process',
      'messaging.consumer.group.name': service,
      'messaging.batch.message_count': arrived.length,
      ...(first && { 'messaging.message.id': first.known.event.id }),
      'crm.service': service,
    },
  };
}

async function handle(context: Handling, arrived: readonly Arrived[]): Promise<Handled[]> {
  const { service, openEm } = context;
  let isEntered = false;
  const onEntered = () => {
    isEntered = true;
  };
  try {
    await openEm().transactional(async (em) => {
      for (const { known, isRepeated } of arrived)
        if (isRepeated) await forgetFailures(em, service, known.event.id);
      const known = arrived.map((one) => one.known);
      await handleEvents(em, service, known, onEntered);
    });
    return arrived.map(() => ({ is: 'done' }));
  } catch (error) {
    if (!isEntered) return arrived.map(() => ({ is: 'unavailable', error }));
    if (arrived.length === 1) return [{ is: isDatabaseUnavailable(error) ? 'unavailable' : 'failed', error }];
    const each: Handled[] = [];
    for (const one of arrived) each.push(...(await handleTogether(context, [one])));
    return each;
  }
}
