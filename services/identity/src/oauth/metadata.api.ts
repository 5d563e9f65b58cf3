import { z } from 'zod';

/** The documents at the well-known addresses (RFC 8414, RFC 9728). */
export const AuthorizationServer = z
  .object({
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
  })
  .meta({
    examples: [
      {
        issuer: 'https://crm.example.com',
        authorization_endpoint: 'https://crm.example.com/oauth2/authorize',
        token_endpoint: 'https://crm.example.com/oauth2/token',
        revocation_endpoint: 'https://crm.example.com/oauth2/revoke',
        introspection_endpoint: 'https://crm.example.com/oauth2/introspect',
        service_documentation: 'https://crm.example.com/docs',
        scopes_supported: ['read', 'write'],
        response_types_supported: ['code', 'token'],
        response_modes_supported: ['query', 'fragment'],
        grant_types_supported: ['authorization_code', 'refresh_token', 'implicit'],
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
        revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
        introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      },
    ],
  });

export const ProtectedResource = z
  .object({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
  })
  .meta({
    examples: [
      {
        resource: 'https://crm.example.com',
        authorization_servers: ['https://crm.example.com'],
        scopes_supported: ['read', 'write'],
        bearer_methods_supported: ['header'],
      },
    ],
  });
