import { expect, it } from 'vitest';
import { AuthorizationServer, ProtectedResource } from './metadata.api.ts';
import { authorizationServer, protectedResource } from './metadata.ts';

it('matches the examples in the OpenAPI document', () => {
  const issuer = 'https://crm.example.com';
  expect(AuthorizationServer.meta()?.examples).toEqual([authorizationServer(issuer)]);
  expect(ProtectedResource.meta()?.examples).toEqual([protectedResource(issuer)]);
});
