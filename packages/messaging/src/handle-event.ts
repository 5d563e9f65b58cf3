import type { EntityManager } from '@mikro-orm/postgresql';
import { enterInbox } from './inbox.ts';
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
