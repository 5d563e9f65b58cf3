import { randomUUID } from 'node:crypto';
import type { Contract } from '@crm/contract';
import type { Caller, Credential } from './call.ts';
import { type Client, clientOf } from './typed-client.ts';

/** A typed client on top of a caller, such as a service in this process. */
export function clientOver<C extends Contract>(
  contract: C,
  caller: Caller,
  credential: Credential,
): Client<C> {
  return clientOf(contract, async (procedure, { kind }, input, options) => {
    const requestId = randomUUID();
    const mayRepeat = kind === 'query';
    const { text } = await caller({ procedure, input, credential, requestId, mayRepeat, ...options });
    return JSON.parse(text) as unknown;
  });
}
