import { web } from '@crm/contract';
import { z } from 'zod';

const credentials = {
  client_id: z.string().optional().describe('Unless it is in the Authorization header'),
  client_secret: z.string().optional().describe('Unless it is in the Authorization header'),
};

const TokenRequest = z.object({
  grant_type: z.enum(['authorization_code', 'refresh_token']),
  code: z.string().optional().describe('For authorization_code'),
  redirect_uri: z
    .string()
    .optional()
    .describe('For authorization_code: the one of the authorization request'),
  code_verifier: z.string().optional().describe('For a code that was requested with a code_challenge'),
  refresh_token: z.string().optional().describe('For refresh_token'),
  scope: z.string().optional().describe('For refresh_token: a subset of what was granted'),
  ...credentials,
});

const TokenReference = z.object({
  token: z.string(),
  token_type_hint: z.string().optional(),
  ...credentials,
});

export const TokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  expires: z.iso.datetime(),
  expires_in: z.int().describe('Seconds'),
  scope: z.string().describe('Separated by spaces'),
  token_type: z.literal('Bearer'),
});

const OAuthProblem = z.object({ error: z.string(), error_description: z.string() });

const Introspection = z.object({
  active: z.boolean(),
  scope: z.string().optional(),
  client_id: z.string().optional(),
  sub: z.string().optional().describe('The id of the user'),
  token_type: z.literal('Bearer').optional(),
  exp: z.int().optional(),
  iat: z.int().optional(),
  iss: z.string().optional(),
});

export const AuthorizationServer = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
  introspection_endpoint: z.string(),
  service_documentation: z.string(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  introspection_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
});

export const ProtectedResource = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
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
    body: jsonOrForm(TokenRequest),
    answers: { 200: json(TokenAnswer), ...problems },
  }),
  revoke: web({
    rest: 'POST /oauth2/revoke',
    kind: 'mutation',
    summary: 'Revoke a token; a refresh token with everything issued for the same approval (RFC 7009)',
    body: jsonOrForm(TokenReference),
    answers: { 200: json(z.object({})), ...problems },
  }),
  introspect: web({
    rest: 'POST /oauth2/introspect',
    // It records failed authentications.
    kind: 'mutation',
    summary: 'Describe a token of the application (RFC 7662)',
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
