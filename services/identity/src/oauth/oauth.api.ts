import { web } from '@crm/contract';
import { z } from 'zod';
import { AuthorizationServer, ProtectedResource } from './metadata.api.ts';

const credentials = {
  client_id: z.string().optional().describe('Unless it is in the Authorization header'),
  client_secret: z.string().optional().describe('Unless it is in the Authorization header'),
};

const TokenRequest = z
  .object({
    grant_type: z.enum(['authorization_code', 'refresh_token']).describe('What is exchanged'),
    code: z.string().optional().describe('For authorization_code'),
    redirect_uri: z
      .string()
      .optional()
      .describe('For authorization_code: the one of the authorization request'),
    code_verifier: z.string().optional().describe('For a code that was requested with a code_challenge'),
    refresh_token: z.string().optional().describe('For refresh_token'),
    scope: z.string().optional().describe('For refresh_token: a subset of what was granted'),
    ...credentials,
  })
  .meta({
    examples: [
      {
        grant_type: 'authorization_code',
        code: '5d0e…',
        redirect_uri: 'https://app.example.com/callback',
        client_id: 'my-application',
        client_secret: 'b81f…',
      },
    ],
  });

const TokenReference = z
  .object({
    token: z.string().describe('An access token or a refresh token'),
    token_type_hint: z
      .string()
      .optional()
      .describe('access_token or refresh_token; optional, because the token is found without it'),
    ...credentials,
  })
  .meta({ examples: [{ token: '0f9b…', client_id: 'my-application', client_secret: 'b81f…' }] });

export const TokenAnswer = z
  .object({
    access_token: z.string().describe('Sent with every request'),
    refresh_token: z.string().describe('Used to obtain the next tokens'),
    expires: z.iso.datetime().describe('When the access token expires'),
    expires_in: z.int().describe('Seconds'),
    scope: z.string().describe('Separated by spaces'),
    token_type: z.literal('Bearer'),
  })
  .meta({
    examples: [
      {
        access_token: '0f9b…',
        refresh_token: '7a1c…',
        expires: '2026-06-12T09:26:53.000Z',
        expires_in: 7776000,
        scope: 'write',
        token_type: 'Bearer',
      },
    ],
  });

const OAuthProblem = z
  .object({
    error: z.string(),
    error_description: z.string(),
    error_uri: z.string().describe('A page that explains how to fix the error'),
  })
  .meta({
    examples: [
      {
        error: 'invalid_grant',
        error_description: 'The code was used already.',
        error_uri: 'https://crm.example.com/guides/errors#invalid_grant',
      },
    ],
  });

const Introspection = z
  .object({
    active: z.boolean().describe('Whether the token is valid; if not, the response has no other fields'),
    scope: z.string().optional(),
    client_id: z.string().optional(),
    sub: z.string().optional().describe('The id of the user'),
    token_type: z.literal('Bearer').optional(),
    exp: z.int().optional(),
    iat: z.int().optional(),
    iss: z.string().optional(),
  })
  .meta({
    examples: [
      {
        active: true,
        scope: 'write',
        client_id: 'my-application',
        sub: '4201',
        token_type: 'Bearer',
        exp: 1781256413,
        iat: 1773480413,
        iss: 'https://crm.example.com',
      },
    ],
  });

const json = (schema: z.ZodType) => ({ 'application/json': schema });
const jsonOrForm = (schema: z.ZodType) => ({
  'application/json': schema,
  'application/x-www-form-urlencoded': schema,
});
const problems = {
  400: json(OAuthProblem),
  401: json(OAuthProblem),
  415: json(OAuthProblem),
  429: json(OAuthProblem),
};

export const oauthApi = {
  token: web({
    rest: 'POST /oauth2/token',
    kind: 'mutation',
    summary: 'Exchange an authorization code or a refresh token for tokens (RFC 6749)',
    details:
      'A confidential application authenticates with its secret, in the body or with HTTP Basic. A refresh token works once: the response has the next one.',
    errors: 'oauth',
    body: jsonOrForm(TokenRequest),
    answers: { 200: json(TokenAnswer), ...problems },
  }),
  revoke: web({
    rest: 'POST /oauth2/revoke',
    kind: 'mutation',
    summary: 'Revoke a token, and with a refresh token everything issued for the same approval (RFC 7009)',
    details: 'The application authenticates as for `POST /oauth2/token`.',
    errors: 'oauth',
    body: jsonOrForm(TokenReference),
    answers: { 200: json(z.object({})), ...problems },
  }),
  introspect: web({
    rest: 'POST /oauth2/introspect',
    // It records failed authentications.
    kind: 'mutation',
    summary: 'Describe a token of the application (RFC 7662)',
    details: 'The application authenticates as for `POST /oauth2/token`.',
    errors: 'oauth',
    body: jsonOrForm(TokenReference),
    answers: { 200: json(Introspection), ...problems },
  }),
  server: web({
    rest: 'GET /.well-known/oauth-authorization-server',
    kind: 'query',
    summary: 'Describe this authorization server (RFC 8414)',
    answers: { 200: json(AuthorizationServer) },
  }),
  resource: web({
    rest: 'GET /.well-known/oauth-protected-resource',
    kind: 'query',
    summary: 'Describe where to get access tokens for this API (RFC 9728)',
    answers: { 200: json(ProtectedResource) },
  }),
};
