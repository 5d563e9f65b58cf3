import type { WebAnswer, WebRequest } from '@crm/contract';
import { auditAs } from '@crm/messaging';
import type { Context } from '@crm/service';
import type { Application } from '../applications/application.entity.ts';
import { applicationByClientId } from '../applications/application-by-client-id.ts';
import { authenticateClient } from './authenticate-client.ts';
import { errorAnswer, invalidRequest, OAuthError } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';
import { readBody } from './read-body.ts';
import { readCredentials } from './read-credentials.ts';

type Work = (
  ctx: Context,
  application: Application,
  values: Parameters['values'],
  request: WebRequest,
) => Promise<WebAnswer>;

/**
 * Authenticates the application of a request before its handler runs. A request with neither credentials nor the parameter that
 * every one needs is incomplete rather than not authenticated (RFC 6749 §5.2).
 */
export const asClient =
  (issuer: string, needed: 'grant_type' | 'token', work: Work) =>
  async (ctx: Context, request: WebRequest): Promise<WebAnswer> => {
    let cors: Readonly<Record<string, string>> = {};
    const answer = await answerOf(issuer, async () => {
      const values = readBody(request);
      const isAnonymous = request.headers.authorization === undefined && values.client_id === undefined;
      if (isAnonymous && values[needed] === undefined) throw invalidRequest(`${needed} is missing`);
      const credentials = readCredentials(request.headers.authorization, values);
      const named = await applicationByClientId(ctx, credentials.client_id);
      cors = corsHeaders(named, request.headers.origin);
      const application = await authenticateClient(ctx, named, credentials, request.address);
      auditAs(ctx.em, { clientId: application.client_id });
      return work(ctx, application, values, request);
    });
    return { ...answer, headers: { ...answer.headers, ...cors } };
  };

async function answerOf(issuer: string, work: () => Promise<WebAnswer>): Promise<WebAnswer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OAuthError) return errorAnswer(error, issuer);
    throw error;
  }
}

/** Pages of other origins may read the response only if a public application has registered them. */
function corsHeaders(application: Application | null, origin: string | undefined): Record<string, string> {
  const isKnown =
    application?.is_public === true &&
    application.redirect_uris.some((uri) => URL.parse(uri)?.origin === origin);
  return {
    vary: 'Origin',
    ...(isKnown && origin !== undefined && { 'access-control-allow-origin': origin }),
  };
}
