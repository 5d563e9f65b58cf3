import type { EntityManager } from '@mikro-orm/postgresql';
import { enterInbox } from './inbox.ts';
import type { KnownEvent } from './read-event.ts';

/**
 * Runs the handlers of events in the transaction of `em`, except for those that the consumer has handled, and throws their
 * error. If there are several events, they have to be joinable. `onEntered` is called once the database has responded: from
 * then on, any failure is a failure of the events, unless the database is unavailable.
 */
export async function handleEvents(
  em: EntityManager,
  consumer: string,
  known: readonly KnownEvent[],
  onEntered?: () => void,
): Promise<void> {
  const ids = await enterInbox(
    em,
    consumer,
    known.map(({ event }) => event.id),
  );
  onEntered?.();
  const handled = known.filter(({ event }) => ids.has(event.id)).flatMap(withHandlers);
  for (const [{ handle }, ones] of Map.groupBy(handled, ({ subscription }) => subscription))
    await handle({ em, events: ones.map(({ event }) => event) });
}

/** An event with each of its handlers. Throws if there is none that can read it. */
function withHandlers({ event, subscriptions, mismatch }: KnownEvent) {
  if (mismatch !== undefined) throw new Error(mismatch);
  if (subscriptions.length === 0) throw new Error(`No handler subscribes to "${event.type}".`);
  return subscriptions.map((subscription) => ({ event, subscription }));
}

/** Whether an event has exactly one handler, and it can handle events that arrive together. */
export const isJoinable = ({ subscriptions: [one, ...others], mismatch }: KnownEvent): boolean =>
  mismatch === undefined && others.length === 0 && one?.isJoinable === true;
