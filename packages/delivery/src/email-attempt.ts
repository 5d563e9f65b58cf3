import { Readable } from 'node:stream';
import { limited, startMs } from './limited.ts';

/** Whether a message may still be sent, asked when what was checked before no longer counts. */
export type MayStillSend = () => Promise<boolean>;

/**
 * One attempt to send an e-mail. A mail server may keep it waiting for long before it accepts the message: for a greeting, or
 * while it looks up the recipient. What was checked has grown old then, so it is asked again when the server is ready, before
 * the first byte of the message, and the message has all the time again that one attempt has.
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
    /** The message for one connection. None of it is read before the server is ready for it. */
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
