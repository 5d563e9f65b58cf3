import { randomUUID } from 'node:crypto';
import type { Contract } from '@crm/contract';
import type { CallService, Credential } from './call.ts';
import { type Client, clientOf } from './typed-client.ts';

/** A typed client of a service, such as one in this process. */
export function clientOver<C extends Contract>(
  contract: C,
  callService: CallService,
  credential: Credential,
): Client<C> {
  return clientOf(contract, async (procedure, { kind }, input, options) => {
    const requestId = randomUUID();
    const mayRepeat = kind === 'query';
    const { text } = await callService({ procedure, input, credential, requestId, mayRepeat, ...options });
    return JSON.parse(text) as unknown;
  });
}
