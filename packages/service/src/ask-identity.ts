import { type CallService, deadlineWithin, patienceMs } from '@crm/client';

/** Identity answers with one statement or not at all. A little longer than what counts as no answer from a peer. */
export const identityMs = patienceMs + 1_000;

export interface Asking {
  readonly requestId: string;
  /** Of the request. */
  readonly deadline?: number | undefined;
  /** Of the process that asks, where identity does not answer everybody. */
  readonly token?: string;
}

/** Asks identity what may be asked twice. Returns JSON. */
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
