import { listingOf, relations } from '@crm/contract';
import { type Route, routes } from '@crm/gateway';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { inShape } from './contract/in-shape.ts';
import { pathOf } from './contract/resources.ts';
import { shapes, startSystem } from './system.ts';

const lists = routes.filter(({ operation }) => listingOf(operation.input));
const isRecord = ({ path, operation }: Route) =>
  path.endsWith('/:id') && operation.input instanceof z.ZodObject && '$where' in operation.input.shape;
const records = routes.filter((route) => route.method !== 'POST' && isRecord(route));

/** The relations that a route can load, by its own contract. */
function relationsOf({ operation }: Route): readonly string[] {
  const json = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const parameter = json.properties?.$load;
  const items = typeof parameter === 'object' && typeof parameter.items === 'object' ? parameter.items : {};
  return listingOf(operation.input)?.load ?? (items as z.core.JSONSchema.BaseSchema).enum?.map(String) ?? [];
}

describe('the names of relations', () => {
  it('are those that some list or record can load', () => {
    expect([...new Set([...lists, ...records].flatMap(relationsOf))].sort()).toEqual([...relations]);
  });
});

describe.each(shapes)('%s: $load', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const { api } = await system.person({ is_broker: true });
  const ask = (route: Route, query: string) =>
    api.send(route.method, `${pathOf(route, ids)}?${query}`, route.method === 'PATCH' ? {} : undefined);
  const ids = new Proxy({}, { get: () => 999_999 });

  it.each(inShape(shape, [...lists, ...records]))(
    '$method $path rejects an unknown relation by name',
    async (route) => {
      for (const query of ['$load=nope', '$load=template,nope', '$load[]=nope', '$load[x]=template']) {
        const { status, body } = await ask(route, query);
        expect(status, query).toBe(400);
        expect(Object.keys(body.errors ?? {}).join(), query).toContain('$load');
      }
    },
  );

  it.each(inShape(shape, [...lists, ...records]))(
    '$method $path ignores relations of others',
    async (route) => {
      const without = await ask(route, '');
      for (const query of [
        `$load=${relations.join(',')}`,
        '$load[]=template&$load[]=assigned_user',
        '$load=',
      ]) {
        expect((await ask(route, query)).status, query).toBe(without.status);
      }
    },
  );
});
