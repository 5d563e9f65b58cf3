import { type Context, networkOf } from '@crm/service';
import type { Application } from '../applications/application.entity.ts';
import { isSecretOf } from '../applications/application-secret.ts';
import { failuresOf, recordClientFailure } from './client-failure.queries.ts';
import { OAuthError } from './oauth-error.ts';
import { type Credentials, invalidClient } from './read-credentials.ts';

/** Per ten minutes and network: enough for a developer who is setting up a program. */
const maxFailures = 10;

/**
 * Checks the credentials of an application; a public one has only its id. Throws OAuthError. The limit applies only to
 * wrong secrets: 256 random bits cannot be guessed, and somebody else's failures must not lock out an application.
 */
export async function authenticateClient(
  ctx: Context,
  application: Application | null,
  { client_secret, method }: Credentials,
  address: string,
): Promise<Application> {
  if (!application) throw invalidClient(method);
  if (application.is_public) {
    if (client_secret !== undefined) throw invalidClient(method);
    return application;
  }
  const guesser = { applicationId: application.id, network: networkOf(address) };
  if (client_secret !== undefined && (await isSecretOf(ctx, application, client_secret))) return application;
  if ((await failuresOf(ctx.query, guesser)) >= maxFailures) throw tooManyFailures();
  await recordClientFailure(ctx.query, guesser);
  throw invalidClient(method);
}

function tooManyFailures(): OAuthError {
  const description = 'Too many failed attempts; try again later';
  return new OAuthError('invalid_client', description, 429, { 'retry-after': '600' });
}
