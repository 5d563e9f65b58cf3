import type { Logger } from 'pino';

/**
 * The messages of a consumer that are waiting for its database. Logs once when the first starts to wait, and once when none is
 * waiting any longer.
 */
export function waitingMessages(log: Logger) {
  const waiting = new Set<string>();
  return {
    add(eventId: string, error: unknown): void {
      if (waiting.size === 0)
        log.error(
          { err: error, event: eventId },
          'messages wait because the database is unavailable or a table is locked',
        );
      waiting.add(eventId);
    },
    remove(eventId: string): void {
      if (waiting.delete(eventId) && waiting.size === 0) log.info('messages are no longer waiting');
    },
  };
}

export type WaitingMessages = ReturnType<typeof waitingMessages>;
