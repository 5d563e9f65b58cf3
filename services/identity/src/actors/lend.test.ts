import { system } from '@crm/auth';
import { someone } from '@crm/testing';
import { decodeJwt } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, serviceToken } from '../../test/harness.ts';

const identity = await identityUnderTest();
afterAll(identity.close);

describe('a service that asks another', () => {
  it('is the system by the service token', async () => {
    expect(await identity.asSystem.actors.resolve({ token: serviceToken })).toEqual({ system: true });
    await expect(identity.asSystem.actors.resolve({ token: `${serviceToken}x` })).rejects.toMatchObject({
      name: 'NotAuthenticated',
    });
  });

  it('gets a token for one audience and half a minute that speaks for its caller', async () => {
    const anna = someone();
    const { internal_token } = await identity.asSystem.actors.lend({ actor: anna, audience: 'contacts' });
    const { aud, actor, iat = 0, exp = 0 } = decodeJwt(internal_token);
    expect({ aud, actor }).toEqual({ aud: 'contacts', actor: anna });
    expect(exp - iat).toBe(30);
  });

  it('may not be a user, who could then be anyone', async () => {
    const lend = identity.as(someone()).actors.lend;
    await expect(lend({ actor: { ...system }, audience: 'contacts' })).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });
});
