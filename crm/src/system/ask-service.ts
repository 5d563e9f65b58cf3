import { type Client, createClient } from '@crm/client';
import { type Contract, Refused } from '@crm/contract';
import { findSystem, needOperatorToken } from './find-system.ts';
import type { ServiceName } from './services.ts';
import { Unable } from './unable.ts';

/** Calls a service as the operator. Throws Unable if it does not respond or rejects the operator token. */
export async function askService<Api extends Contract, Answer>(
  env: NodeJS.ProcessEnv,
  service: ServiceName,
  api: Api,
  ask: (client: Client<Api>) => Promise<Answer>,
): Promise<Answer> {
  const url = findSystem(env).services[service];
  const token = needOperatorToken(env);
  const name = `${service.charAt(0).toUpperCase()}${service.slice(1)}`;
  try {
    return await ask(createClient(api, { url, token }));
  } catch (error) {
    if (error instanceof Refused && error.name === 'NotAuthenticated') {
      throw new Unable('NotAuthenticated', `${name} at ${url} rejects the operator token.`);
    }
    if (error instanceof Refused) throw error;
    throw new Unable(
      'NoAnswer',
      `${name} at ${url} does not respond: ${reasonOf(error)}. Is the system running?`,
    );
  }
}

/** The innermost cause, because "fetch failed" alone explains nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
