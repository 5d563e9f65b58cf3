import { routes } from '@crm/gateway';
import { absent } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { pathOf } from './contract/resources.ts';
import { shapesFor, startSystem } from './system.ts';

const ofSubAccounts = routes.filter(({ path }) => path.startsWith('/sub-accounts'));

describe.each(shapesFor(import.meta))('%s: sub-accounts', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const broker = await system.person({ is_broker: true });
  const { id: user_id, allows } = await system.person();
  await allows(broker);
  const taken = await broker.api.post('/sub-accounts', { user_id });
  const callers = {
    'a user who is not a broker': await system.person(),
    'the sub-account itself': { api: system.as(String(taken.body.access_token)) },
  };

  it('have at least four operations', () => {
    expect(ofSubAccounts.map(({ method }) => method).sort()).toEqual(['DELETE', 'GET', 'GET', 'POST']);
  });

  describe.each(Object.entries(callers))('for %s', (_, { api }) => {
    it.each(ofSubAccounts)('are forbidden: $method $path', async (route) => {
      const { id: free } = await system.person();
      const before = await system.contents();
      for (const id of [taken.body.id, absent]) {
        const body = route.method === 'POST' ? { user_id: free } : undefined;
        const answer = await api.send(route.method, pathOf(route, { id }), body);
        expect(answer).toMatchObject({
          status: 403,
          body: { name: 'Forbidden', message: 'Only brokers have sub-accounts.' },
        });
        expect(JSON.stringify(answer.body)).not.toContain('access_token');
      }
      expect(await system.contents()).toEqual(before);
    });
  });
});
