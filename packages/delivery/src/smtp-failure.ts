import { failed, type Outcome, refused, unknown } from './outcome.ts';

type Failure = Error & {
  readonly responseCode?: number;
  readonly permanent?: boolean;
  readonly code?: string;
};

/**
 * What an SMTP attempt that ended in an error came to. An answer of the server settles it (RFC 5321, 4.2.1);
 * without one it depends on whether any of the message had gone out.
 */
export function outcomeOfFailure(error: unknown, bodyBegun: boolean): Outcome {
  if (!(error instanceof Error)) throw error;
  const { responseCode, permanent, code } = error as Failure;
  // Wrong credentials are ours to mend, and the message is not lost meanwhile.
  if (code === 'EAUTH') return failed(error.message);
  if (responseCode !== undefined && responseCode >= 400) {
    return permanent ? refused(error.message) : failed(error.message);
  }
  return bodyBegun ? unknown(error.message) : failed(error.message);
}
