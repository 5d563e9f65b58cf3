import { Readable } from 'node:stream';
import { limited, startMs } from './limited.ts';

/** Asks whether a message may still be sent, once its last check has expired. */
export type MayStillSend = () => Promise<boolean>;

/**
 * One attempt to send an e-mail. A mail server may delay it for long before it accepts the message: at the greeting, or while it
 * looks up the recipient. The last check has expired by then, so it is repeated when the server is ready, before the first byte
 * of the message, and the time limit of the attempt starts again.
 */
export function emailAttempt(timeoutMs: number, mayStillSend: MayStillSend) {
  const { signal, restart, end } = limited(timeoutMs);
  let checkedAt = performance.now();
  let body: Readable | undefined;

  async function* confirmed(text: string) {
    if (performance.now() - checkedAt > startMs) {
      if (!(await mayStillSend())) throw new Error(unchecked);
      signal.throwIfAborted();
      checkedAt = performance.now();
      restart();
    }
    yield text;
  }

  return {
    signal,
    end,
    /** The message body for one connection. Nothing is read from it before the server is ready. */
    bodyOf(text: string): Readable {
      body = Readable.from(confirmed(text), { objectMode: false });
      return body;
    },
    /** Whether any part of the message was sent. */
    isBegun: () => body?.readableDidRead ?? false,
  };
}

export type EmailAttempt = ReturnType<typeof emailAttempt>;

const unchecked = 'The mail server kept it waiting, and it could not be confirmed that it may still be sent.';
