import { type Client, createClient } from '@crm/client';
import { Refused } from '@crm/contract';
import { identityApi } from '@crm/identity/api';
import { findSystem, needOperatorToken } from './find-system.ts';
import { Unable } from './unable.ts';

/** Asks identity as the operator. Tells in a sentence when it does not answer or does not know the operator. */
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
      throw new Unable('NotAuthenticated', `Identity at ${url} does not accept this operator token.`);
    }
    if (error instanceof Refused) throw error;
    throw new Unable(
      'NoAnswer',
      `Identity at ${url} does not answer: ${reasonOf(error)}. Does the system run?`,
    );
  }
}

/** The innermost cause says most: «fetch failed» says nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
