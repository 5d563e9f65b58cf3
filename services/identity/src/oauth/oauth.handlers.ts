import type { WebAnswer } from '@crm/contract';
import { implement } from '@crm/service';
import type { z } from 'zod';
import { asClient } from './as-client.ts';
import { exchangeCode } from './exchange-code.ts';
import { introspect } from './introspect.ts';
import {
  type AuthorizationServer,
  authorizationServer,
  type ProtectedResource,
  protectedResource,
} from './metadata.api.ts';
import { oauthApi } from './oauth.api.ts';
import { invalidRequest, jsonAnswer, OAuthError } from './oauth-error.ts';
import { refreshGrant } from './refresh-grant.ts';
import { revoke } from './revoke.ts';

export function oauthHandlers(issuer: string) {
  return implement(oauthApi, {
    token: asClient(issuer, 'grant_type', async (ctx, application, values, request) => {
      switch (values.grant_type) {
        case 'authorization_code':
          return jsonAnswer(200, await exchangeCode(ctx, application, values));
        case 'refresh_token':
          return jsonAnswer(200, await refreshGrant(ctx, application, values, request));
        case undefined:
          throw invalidRequest('grant_type is missing');
        default:
          throw new OAuthError(
            'unsupported_grant_type',
            'grant_type must be authorization_code or refresh_token',
          );
      }
    }),
    revoke: asClient(issuer, 'token', revoke),
    introspect: asClient(issuer, 'token', (ctx, application, values) =>
      introspect(ctx, application, values, issuer),
    ),
    server: async () => published(authorizationServer(issuer)),
    resource: async () => published(protectedResource(issuer)),
  });
}

type Metadata = z.output<typeof AuthorizationServer | typeof ProtectedResource>;

/** Readable by every client, including pages of other origins, and cacheable because it changes only with the configuration. */
function published(document: Metadata): WebAnswer {
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'public, max-age=3600',
    'access-control-allow-origin': '*',
  };
  return { status: 200, headers, body: JSON.stringify(document) };
}
