import { newAccessToken } from '@crm/auth';
import type { Operations } from '@crm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inShape } from './contract/in-shape.ts';
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

/** The transports of a service. */
const transports = ['rpc', 'trpc'] as const;

describe.each(shapes)('%s: on the port of the service itself,', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person();
  const reader = await system.token(anna, 'read');
  const gone = await system.token(anna, 'write');
  await system.revoke(gone.token);

  const ask = (service: string, transport: string, name: string, token?: string) =>
    fetch(`${system.services[service]}/${transport}/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: '{}',
    });

  describe.each(inShape(shape, closed))('$service $name', ({ service, name, operation }) => {
    let before: Readonly<Record<string, string>>;
    beforeAll(async () => {
      before = await system.contents();
    });

    it.each(transports)('is rejected by %s without a valid token', async (transport) => {
      const tokens = [undefined, gone.token, newAccessToken(), 'x', 'x'.repeat(300), 'crm_op_guess'];
      for (const token of tokens) {
        expect((await ask(service, transport, name, token)).status, token).toBe(401);
      }
    });

    if (operation.for === 'system')
      it.each(transports)('is forbidden by %s to every user', async (transport) => {
        for (const { token } of [anna, reader])
          expect((await ask(service, transport, name, token)).status).toBe(403);
      });

    if (operation.for === 'system')
      it.each(transports)(
        'is open by %s to the credentials of its callers and to no other',
        async (transport) => {
          expect(operation.callers).not.toEqual([]);
          // An invalid input: who gets as far as being told so may call.
          const url = `${system.services[service]}/${transport}/${name}`;
          for (const [caller, token] of Object.entries(system.credentials)) {
            const { status } = await fetch(url, {
              method: 'POST',
              headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
              body: '[]',
            });
            const mayCall = operation.callers?.some((name) => name === caller);
            expect(status, caller).toBe(mayCall ? 400 : 403);
          }
        },
      );

    if (operation.for === 'user' && operation.kind === 'mutation')
      it.each(transports)('is forbidden by %s to a read-only token', async (transport) => {
        expect((await ask(service, transport, name, reader.token)).status).toBe(403);
      });

    it('is carried out for none of them', async () => {
      expect(await system.contents()).toEqual(before);
    });
  });

  it.each(transports)('a procedure that is not declared is not found by %s', async (transport) => {
    for (const service of Object.keys(system.services)) {
      for (const name of ['nothing.find', 'contacts', 'constructor.find', '__proto__.find']) {
        expect((await ask(service, transport, name, anna.token)).status, name).toBe(404);
      }
    }
  });
});
