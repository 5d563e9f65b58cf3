import { gateway } from '@crm/auth';
import type { CallService } from '@crm/client';
import type { WebAnswer, WebRequest } from '@crm/contract';

/** Calls a web operation as the gateway does. */
export async function askWeb(
  call: CallService,
  procedure: string,
  request: Partial<WebRequest>,
): Promise<WebAnswer> {
  const input = { params: {}, query: '', headers: {}, body: '', address: '127.0.0.1', ...request };
  const { text } = await call({ procedure, input, credential: { actor: gateway }, requestId: 'a-test' });
  return JSON.parse(text) as WebAnswer;
}
