import type { z } from 'zod';
import { scopes } from '../tokens/scope.ts';
import type { AuthorizationServer, ProtectedResource } from './metadata.api.ts';

const withSecret = ['client_secret_basic', 'client_secret_post'];

/** The metadata of this authorization server for OAuth clients (RFC 8414). */
export function authorizationServer(issuer: string): z.output<typeof AuthorizationServer> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    service_documentation: `${issuer}/docs`,
    scopes_supported: [...scopes],
    response_types_supported: ['code', 'token'],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'implicit'],
    token_endpoint_auth_methods_supported: [...withSecret, 'none'],
    revocation_endpoint_auth_methods_supported: [...withSecret, 'none'],
    introspection_endpoint_auth_methods_supported: withSecret,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Tells clients where to get a token for this API (RFC 9728). */
export function protectedResource(issuer: string): z.output<typeof ProtectedResource> {
  return {
    resource: issuer,
    authorization_servers: [issuer],
    scopes_supported: [...scopes],
    bearer_methods_supported: ['header'],
  };
}
