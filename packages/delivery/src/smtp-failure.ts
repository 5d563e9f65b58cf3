import { failed, type Outcome, refused, unknown } from './outcome.ts';

type Failure = Error & {
  readonly responseCode?: number;
  readonly permanent?: boolean;
  readonly code?: string;
};

/**
 * RFC 3463: a bad mailbox, a bad host, bad syntax, a mailbox that has moved, a null MX, a disabled mailbox. A full mailbox, a
 * policy or a fault of the server may pass, and end no address.
 */
const noSuchAddress = /\b5\.(?:1\.(?:[1236]|10)|2\.1)\b/;

/** Whether nothing will ever arrive at the address to which a server has responded with this status. */
export const isNoSuchAddress = (response: string): boolean => noSuchAddress.test(response);

/**
 * The outcome of an SMTP attempt that ended in an error. A response of the server decides it (RFC 5321, 4.2.1); without
 * one it depends on whether any part of the message was sent.
 */
export function outcomeOfFailure(error: unknown, bodyBegun: boolean): Outcome {
  if (!(error instanceof Error)) throw error;
  const { responseCode, permanent, code } = error as Failure;
  // Wrong credentials will be fixed, and the message must not be lost until then.
  if (code === 'EAUTH') return failed(error.message);
  if (responseCode !== undefined && responseCode >= 400) {
    if (!permanent) return failed(error.message);
    const ends = isNoSuchAddress(error.message) && { ends: 'unreachable' as const };
    return { ...refused(error.message), ...ends };
  }
  return bodyBegun ? unknown(error.message) : failed(error.message);
}
