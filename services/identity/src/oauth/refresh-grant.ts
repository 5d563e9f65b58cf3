import type { Context } from '@crm/service';
import type { Application } from '../applications/application.entity.ts';
import type { Origin } from '../security-events/security-event.queries.ts';
import { refresh } from '../token-families/refresh.ts';
import { invalidGrant, invalidRequest, OAuthError } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';
import { type Issued, tokenAnswer } from './token-answer.ts';

/** The refresh_token grant (RFC 6749 §6). Throws OAuthError. */
export async function refreshGrant(
  ctx: Context,
  application: Application,
  { refresh_token: secret, scope }: Parameters['values'],
  origin: Origin,
): Promise<Issued> {
  if (secret === undefined) throw invalidRequest('refresh_token is missing');
  const issued = await refresh(ctx, application, { secret, scope, origin });
  if (issued === 'invalid grant') throw invalidGrant();
  if (issued === 'invalid scope')
    throw new OAuthError('invalid_scope', 'The scope must be within what was granted');
  return tokenAnswer(issued);
}
