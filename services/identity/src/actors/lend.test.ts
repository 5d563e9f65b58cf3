import { system } from '@crm/auth';
import { someone } from '@crm/testing';
import { decodeJwt } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, serviceToken } from '../../test/harness.ts';

const identity = await identityUnderTest();
afterAll(identity.close);

describe('a service that calls another', () => {
  it('is the system if it presents the service token', async () => {
    expect(await identity.asSystem.actors.resolve({ token: serviceToken })).toEqual({ system: true });
    await expect(identity.asSystem.actors.resolve({ token: `${serviceToken}x` })).rejects.toMatchObject({
      name: 'NotAuthenticated',
    });
  });

  it('gets a token on behalf of its caller, for one audience and 30 seconds', async () => {
    const anna = someone();
    const { internal_token } = await identity.asSystem.actors.lend({ actor: anna, audience: 'contacts' });
    const { aud, actor, iat = 0, exp = 0 } = decodeJwt(internal_token);
    expect({ aud, actor }).toEqual({ aud: 'contacts', actor: anna });
    expect(exp - iat).toBe(30);
  });

  it('cannot be a user, who could then impersonate anyone', async () => {
    const lend = identity.as(someone()).actors.lend;
    await expect(lend({ actor: { ...system }, audience: 'contacts' })).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });
});
