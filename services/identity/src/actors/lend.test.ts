import { type Actor, newAccessToken } from '@crm/auth';
import { clientOver } from '@crm/client';
import { peopleIn, someone } from '@crm/testing';
import { decodeJwt, type JWTPayload } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, operatorToken, serviceTokens } from '../../test/harness.ts';
import { identityApi } from '../api.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const people = peopleIn(identity.asSystem);
const person = async () => {
  const { id } = await people.person();
  return { id, token: people.tokenOf(id) };
};

const by = (token: string) => clientOver(identityApi, identity.call, { token });
const scheduling = by(serviceTokens.scheduling);
const refused = { name: 'NotAuthenticated', message: 'Invalid access token' };
const forbidden = { name: 'Forbidden' };

const contentsOf = ({ internal_token }: { internal_token: string }) =>
  decodeJwt<JWTPayload & { actor: Actor }>(internal_token);
const admitted = async (token: string, audience: string) =>
  (await identity.asSystem.actors.admit({ token, audience })).internal_token;

describe('a service that calls another', () => {
  it('is authenticated by its own token', async () => {
    const { resolve } = identity.asSystem.actors;
    for (const [caller, token] of Object.entries(serviceTokens)) {
      expect(await resolve({ token })).toEqual({ system: true, caller });
      await expect(resolve({ token: `${token}x` })).rejects.toMatchObject(refused);
    }
  });

  it('gets a token for itself, for one audience and 30 seconds', async () => {
    const {
      aud,
      actor,
      iat = 0,
      exp = 0,
    } = contentsOf(await scheduling.actors.lend({ audience: 'contacts' }));
    expect({ aud, actor }).toEqual({ aud: 'contacts', actor: { system: true, caller: 'scheduling' } });
    expect(exp - iat).toBe(30);
  });

  it('exchanges a received token for a token of its caller that expires at the same time', async () => {
    const { token, id } = await person();
    const received = await admitted(token, 'scheduling');
    const lent = contentsOf(await scheduling.actors.lend({ token: received, audience: 'contacts' }));
    expect(lent).toMatchObject({ aud: 'contacts', actor: { id }, exp: decodeJwt(received).exp });
    const direct = contentsOf(await scheduling.actors.lend({ token, audience: 'contacts' }));
    expect(direct.actor).toEqual(lent.actor);
  });

  it('gets nothing for an invented actor, or for a token that was not sent to it', async () => {
    const { token } = await person();
    const forged = (await admitted(token, 'scheduling')).replace(
      /\.[^.]+\./,
      (part) => `${part.slice(0, -2)}A.`,
    );
    const useless = [
      forged,
      await admitted(token, 'contacts'),
      await admitted(serviceTokens['leads-routing'], 'scheduling'),
      operatorToken,
      serviceTokens['leads-routing'],
      newAccessToken(),
      'rubbish',
      '',
    ];
    for (const token of useless)
      await expect(scheduling.actors.lend({ token, audience: 'contacts' }), token).rejects.toMatchObject(
        refused,
      );
    const invented = { actor: someone(), audience: 'contacts' };
    expect(contentsOf(await scheduling.actors.lend(invented)).actor).toEqual({
      system: true,
      caller: 'scheduling',
    });
  });

  it('cannot create tokens, list accounts or change passwords', async () => {
    const { id } = await person();
    const { tokens, users } = scheduling;
    await expect(tokens.create({ user: id })).rejects.toMatchObject(forbidden);
    await expect(users.search({})).rejects.toMatchObject(forbidden);
    await expect(users.changePassword({ user: id, password: 'a new password' })).rejects.toMatchObject(
      forbidden,
    );
  });

  it('cannot act as a user, the operator, or an unnamed system', async () => {
    const { token } = await person();
    for (const client of [
      by(token),
      by(operatorToken),
      identity.as({ system: true }),
      identity.as(someone()),
    ])
      await expect(client.actors.lend({ audience: 'contacts' })).rejects.toMatchObject(forbidden);
  });
});
