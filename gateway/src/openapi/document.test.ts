import { readFileSync } from 'node:fs';
import { isForPrograms, scopeOf } from '@crm/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { oas31 } from 'openapi3-ts';
import { describe, expect, it } from 'vitest';
import { routes as jsonRoutes, webRoutes } from '../routes.ts';
import { openApiDocument } from './document.ts';

const routes = [...jsonRoutes, ...webRoutes];

describe('the document', () => {
  it('has exactly the routes of the gateway, except the pages', () => {
    const document = openApiDocument(routes);
    const documented = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const mounted = routes
      .filter(({ operation }) => isForPrograms(operation))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(mounted).not.toEqual([]);
    expect(documented.sort()).toEqual(mounted.sort());
  });

  it('names the scope of OAuth that each operation needs', () => {
    const { paths = {} } = openApiDocument(routes);
    const scopes = jsonRoutes.map(({ method, path, operation }) => {
      const item = paths[path.replaceAll(/:(\w+)/g, '{$1}')] as
        | Record<string, oas31.OperationObject>
        | undefined;
      const [token, oauth] = item?.[method.toLowerCase()]?.security ?? [];
      const needed = operation.for === 'anyone' ? undefined : scopeOf(operation);
      return { path, token, scopes: oauth?.oauth, needed: needed && [needed] };
    });
    expect(scopes.filter(({ scopes, needed }) => scopes?.[0] !== needed?.[0])).toEqual([]);
    expect(scopes.length).toBeGreaterThan(100);
  });

  it('tells for every operation that its URL and headers can be too long', () => {
    const { paths = {} } = openApiDocument(routes);
    const without = Object.values(paths)
      .flatMap((item) => Object.values(item) as oas31.OperationObject[])
      .filter(({ responses }) => !responses?.['414']);
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('offers an Idempotency-Key for every change, and for nothing else', () => {
    const { paths = {} } = openApiDocument(routes);
    const keyed = jsonRoutes.filter(({ method, path }) => {
      const item = paths[path.replaceAll(/:(\w+)/g, '{$1}')] as Record<string, oas31.OperationObject>;
      return JSON.stringify(item[method.toLowerCase()]).includes('parameters/idempotencyKey');
    });
    expect(keyed).toEqual(jsonRoutes.filter(({ operation }) => operation.kind === 'mutation'));
  });

  it('has names that stay different when a generator makes identifiers of them', () => {
    const { components = {} } = openApiDocument(routes);
    for (const [kind, named] of Object.entries(components)) {
      const names = Object.keys(named ?? {});
      const groups = Map.groupBy(names, (name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
      expect([kind, [...groups.values()].filter(({ length }) => length > 1)]).toEqual([kind, []]);
    }
  });

  it('is valid', async () => {
    const source = JSON.stringify(openApiDocument(routes));
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source, config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('is the committed document', () => {
    const committed = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(openApiDocument(routes))));
  });
});
