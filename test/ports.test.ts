import { newAccessToken } from '@crm/auth';
import type { Operations } from '@crm/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { contracts } from './system/definitions.ts';
import { shapes, startSystem } from './system.ts';

/** Every procedure of every service, public or internal, that is not open to anyone. */
const closed = Object.entries(contracts).flatMap(([service, contract]) =>
  Object.entries<Operations>(contract).flatMap(([resource, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.for !== 'anyone')
      .map(([verb, operation]) => ({ service, name: `${resource}.${verb}`, operation })),
  ),
);

/** The faces a service has for other processes. */
const faces = ['rpc', 'trpc'] as const;

describe.each(shapes)('%s: on the port of the service itself,', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person();
  const reader = await system.token(anna, 'read');
  const gone = await system.token(anna, 'write');
  await system.revoke(gone.token);

  const ask = (service: string, face: string, name: string, token?: string) =>
    fetch(`${system.services[service]}/${face}/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: '{}',
    });

  describe.each(closed)('$service $name', ({ service, name, operation }) => {
    it.each(faces)('is refused by %s to whoever has no valid token', async (face) => {
      const before = await system.contents();
      const tokens = [undefined, gone.token, newAccessToken(), 'x', 'x'.repeat(300), 'crm_op_guess'];
      for (const token of tokens) {
        expect((await ask(service, face, name, token)).status, token).toBe(401);
      }
      expect(await system.contents()).toEqual(before);
    });

    if (operation.for === 'system')
      it.each(faces)('is refused by %s to every user', async (face) => {
        const before = await system.contents();
        for (const { token } of [anna, reader])
          expect((await ask(service, face, name, token)).status).toBe(403);
        expect(await system.contents()).toEqual(before);
      });

    if (operation.for === 'user' && operation.kind === 'mutation')
      it.each(faces)('is refused by %s to a token for reading', async (face) => {
        const before = await system.contents();
        expect((await ask(service, face, name, reader.token)).status).toBe(403);
        expect(await system.contents()).toEqual(before);
      });
  });

  it.each(faces)('what nobody declared is not found by %s', async (face) => {
    for (const service of Object.keys(system.services)) {
      for (const name of ['nothing.find', 'contacts', 'constructor.find', '__proto__.find']) {
        expect((await ask(service, face, name, anna.token)).status, name).toBe(404);
      }
    }
  });
});
