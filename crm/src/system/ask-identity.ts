import type { Client } from '@crm/client';
import { identityApi } from '@crm/identity/api';
import { askService } from './ask-service.ts';

/** Calls identity as the operator. Throws Unable if identity does not respond or rejects the operator token. */
export function askIdentity<Answer>(
  env: NodeJS.ProcessEnv,
  ask: (identity: Client<typeof identityApi>) => Promise<Answer>,
): Promise<Answer> {
  return askService(env, 'identity', identityApi, ask);
}
