import { type Client, createClient } from '@crm/client';
import { Refused } from '@crm/contract';
import { identityApi } from '@crm/identity/api';
import { findSystem, needOperatorToken } from './find-system.ts';
import { Unable } from './unable.ts';

/** Calls identity as the operator. Throws Unable if identity does not respond or rejects the operator token. */
export async function askIdentity<Answer>(
  env: NodeJS.ProcessEnv,
  ask: (identity: Client<typeof identityApi>) => Promise<Answer>,
): Promise<Answer> {
  const url = findSystem(env).services.identity;
  const token = needOperatorToken(env);
  try {
    return await ask(createClient(identityApi, { url, token }));
  } catch (error) {
    if (error instanceof Refused && error.name === 'NotAuthenticated') {
      throw new Unable('NotAuthenticated', `Identity at ${url} rejects the operator token.`);
    }
    if (error instanceof Refused) throw error;
    throw new Unable(
      'NoAnswer',
      `Identity at ${url} does not respond: ${reasonOf(error)}. Is the system running?`,
    );
  }
}

/** The innermost cause, because "fetch failed" alone explains nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
