import type { EntityManager } from '@mikro-orm/postgresql';
import { enterAll, enterInbox } from './inbox.ts';
import type { KnownEvent } from './read-event.ts';

/**
 * Runs the handlers of an event in the transaction of `em`, unless the consumer has handled it, and throws their error.
 * `onEntered` is called once the database has answered, so that what fails from then on is a failure of the event.
 */
export async function handleEvent(
  em: EntityManager,
  consumer: string,
  { event, subscriptions, mismatch }: KnownEvent,
  onEntered?: () => void,
): Promise<void> {
  const isNew = await enterInbox(em, consumer, event.id);
  onEntered?.();
  if (!isNew) return;
  if (mismatch !== undefined) throw new Error(mismatch);
  if (subscriptions.length === 0) throw new Error(`No handler subscribes to "${event.type}".`);
  for (const { handle } of subscriptions) await handle({ em, event });
}

/** Whether an event has one handler, which handles those that arrive together at once. */
export const isJoinable = ({ subscriptions, mismatch }: KnownEvent): boolean =>
  mismatch === undefined && subscriptions.length === 1 && subscriptions[0]?.handleAll !== undefined;

/** Handles joinable events in one transaction, as `handleEvent` handles each. */
export async function handleJoined(
  em: EntityManager,
  consumer: string,
  known: readonly KnownEvent[],
  onEntered: () => void,
): Promise<void> {
  const ids = await enterAll(
    em,
    consumer,
    known.map(({ event }) => event.id),
  );
  onEntered();
  const fresh = known.filter(({ event }) => ids.has(event.id));
  for (const [subscription, ones] of Map.groupBy(fresh, ({ subscriptions: [first] }) => first))
    await subscription?.handleAll?.({ em, events: ones.map(({ event }) => event) });
}
