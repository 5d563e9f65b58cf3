import { newAccessToken } from '@crm/auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inShape } from './contract/in-shape.ts';
import { operations } from './system/definitions.ts';
import { shapes, startSystem } from './system.ts';

/** Those that are not open to anyone. */
const closed = operations.filter(({ operation }) => operation.for !== 'anyone');

/** How a procedure is called: alone, or as a part of a batch. */
const ways = ['alone', 'in a batch'] as const;
type Way = (typeof ways)[number];

describe.each(shapes)('%s: on the port of the service itself,', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person();
  const reader = await system.token(anna, 'read');
  const gone = await system.token(anna, 'write');
  await system.revoke(gone.token);

  const ask = (service: string, way: Way, name: string, token?: string, input = '{}') => {
    const isAlone = way === 'alone';
    return fetch(`${system.services[service]}/trpc/${name}${isAlone ? '' : '?batch=1'}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: isAlone ? input : `{"0":${input}}`,
    });
  };

  describe.each(inShape(shape, closed))('$service $procedure', ({ service, procedure, operation }) => {
    // A subscription cannot be a part of a batch.
    const ownWays = operation.kind === 'subscription' ? (['alone'] as const) : ways;
    let before: Readonly<Record<string, string>>;
    beforeAll(async () => {
      before = await system.contents();
    });

    it.each(ownWays)('is rejected without a valid token, %s', async (way) => {
      const tokens = [undefined, gone.token, newAccessToken(), 'x', 'x'.repeat(300), 'crm_op_guess'];
      for (const token of tokens) {
        expect((await ask(service, way, procedure, token)).status, token).toBe(401);
      }
    });

    if (operation.for === 'system')
      it.each(ownWays)('is forbidden to every user, %s', async (way) => {
        for (const { token } of [anna, reader])
          expect((await ask(service, way, procedure, token)).status).toBe(403);
      });

    if (operation.for === 'system')
      it.each(ownWays)('is open to the credentials of its callers and to no other, %s', async (way) => {
        expect(operation.callers).not.toEqual([]);
        for (const [caller, token] of Object.entries(system.credentials)) {
          // An invalid input: who gets as far as being told so may call.
          const { status } = await ask(service, way, procedure, token, '[]');
          const mayCall = operation.callers?.some((name) => name === caller);
          expect(status, caller).toBe(mayCall ? 400 : 403);
        }
      });

    if (operation.for === 'user' && operation.kind === 'mutation')
      it.each(ownWays)('is forbidden to a read-only token, %s', async (way) => {
        expect((await ask(service, way, procedure, reader.token)).status).toBe(403);
      });

    it('is carried out for none of them', async () => {
      expect(await system.contents()).toEqual(before);
    });
  });

  it.each(ways)('a procedure that is not declared is not found, %s', async (way) => {
    for (const service of Object.keys(system.services)) {
      for (const name of ['nothing.find', 'contacts', 'constructor.find', '__proto__.find']) {
        expect((await ask(service, way, name, anna.token)).status, name).toBe(404);
      }
    }
  });
});
