import { type CallService, deadlineWithin, patienceMs } from '@crm/client';

/**
 * Identity answers with one statement or not at all. A little longer than the time after which a peer counts as unresponsive.
 */
export const identityMs = patienceMs + 1_000;

export interface Asking {
  readonly requestId: string;
  /** Of the request. */
  readonly deadline?: number | undefined;
  /** The credential of the calling process, where identity does not answer everybody. */
  readonly token?: string;
}

/** Asks identity something that is safe to ask twice. Returns JSON. */
export async function askIdentity(
  identity: CallService,
  procedure: string,
  input: unknown,
  { requestId, deadline, token }: Asking,
): Promise<string> {
  const { text } = await identity({
    procedure,
    input,
    credential: token === undefined ? undefined : { token },
    requestId,
    mayRepeat: true,
    deadline: deadlineWithin(identityMs, deadline),
  });
  return text;
}
