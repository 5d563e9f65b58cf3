import { pathParameters } from '@crm/contract';
import { routes } from '@crm/gateway';
import { describe, expect, it } from 'vitest';
import { writableFields } from './fields.ts';
import { equalities, named, orders, touched } from './known.ts';
import { creatable, resources } from './resources.ts';

const names = new Set(resources.map(({ name }) => name));

describe('what the generated tests know by name', () => {
  it('covers every parent in a path', () => {
    const parents = routes.flatMap(({ path }) => pathParameters(path)).filter((name) => name !== 'id');
    expect(parents).not.toEqual([]);
    expect(parents.filter((name) => !(named[name] !== undefined && names.has(named[name])))).toEqual([]);
  });

  it('covers every field that names another record', () => {
    const references = creatable
      .flatMap(({ create }) => writableFields(create))
      .filter(({ kind }) => kind === 'reference');
    expect(references).not.toEqual([]);
    expect(references.filter(({ name }) => named[name] === undefined)).toEqual([]);
  });

  it('speaks of nothing that has gone', () => {
    const fields = new Set(
      resources.flatMap(({ name, view }) => Object.keys(view.shape).map((one) => `${name}.${one}`)),
    );
    const spoken = [
      ...Object.keys(equalities),
      ...Object.entries(orders).flatMap(([name, keys]) => keys.map(([field]) => `${name}.${field}`)),
    ];
    expect(spoken.filter((one) => !fields.has(one))).toEqual([]);
    expect(touched.filter((one) => !creatable.some(({ view }) => one in view.shape))).toEqual([]);
  });

  it('leaves no route out: each belongs to a resource with a list, or has no record', () => {
    const withRecord = routes.filter(({ path }) => pathParameters(path).length > 0);
    const strays = withRecord.filter(({ procedure }) => !names.has(procedure.split('.')[0] ?? ''));
    expect(strays.map(({ procedure }) => procedure)).toEqual([]);
    expect(resources.filter(({ create, get }) => create && !get).map(({ name }) => name)).toEqual([]);
  });
});
