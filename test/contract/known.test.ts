import { listingOf, pathParameters } from '@crm/contract';
import { routes } from '@crm/gateway';
import { describe, expect, it } from 'vitest';
import { writableFields } from './fields.ts';
import {
  aliases,
  alsoNumbers,
  dependent,
  distinct,
  equalities,
  forms,
  madeTogether,
  named,
  orders,
  partsOfAggregates,
  partsOfContacts,
  people,
  placed,
  tolerated,
  touched,
} from './known.ts';
import { creatable, fillable, narrowing, resources } from './resources.ts';

const names = new Set(resources.map(({ name }) => name));

describe('what the generated tests know by name', () => {
  it('covers every parent in a path', () => {
    const parents = routes.flatMap(({ path }) => pathParameters(path)).filter((name) => name !== 'id');
    expect(parents).not.toEqual([]);
    expect(parents.filter((name) => !(named[name] !== undefined && names.has(named[name])))).toEqual([]);
  });

  it('covers every field that refers to another record', () => {
    const references = creatable
      .flatMap(({ create }) => writableFields(create))
      .filter(({ kind }) => kind === 'reference');
    expect(references).not.toEqual([]);
    const known = ({ target = '' }) => names.has(target) || target in people;
    expect(references.filter((field) => !known(field))).toEqual([]);
  });

  it('contains no outdated entries', () => {
    const fields = new Set(
      resources.flatMap(({ name, view }) => Object.keys(view.shape).map((one) => `${name}.${one}`)),
    );
    const written = new Set(
      creatable.flatMap(({ name, create }) => writableFields(create).map((one) => `${name}.${one.name}`)),
    );
    const writing = [...Object.keys(aliases), ...Object.keys(forms), ...Object.keys(distinct)];
    const qualified = Object.keys(named).filter((one) => one.includes('.'));
    const marked = [...tolerated, ...alsoNumbers, ...dependent];
    expect([...writing, ...qualified, ...marked].filter((one) => !written.has(one))).toEqual([]);
    expect([...Object.keys(placed), ...partsOfAggregates].filter((one) => !names.has(one))).toEqual([]);
    const known = [
      ...Object.keys(equalities),
      ...Object.entries(aliases).map(([alias, shown]) => `${alias.split('.')[0]}.${shown}`),
      ...Object.entries(orders).flatMap(([name, keys]) => keys.map(([field]) => `${name}.${field}`)),
    ];
    expect(known.filter((one) => !fields.has(one))).toEqual([]);
    const parameters = resources.flatMap(({ name, find }) =>
      Object.keys(listingOf(find.operation.input)?.own.shape ?? {}).map((one) => `${name}.${one}`),
    );
    expect(narrowing.filter((one) => !parameters.includes(one))).toEqual([]);
    expect(touched.filter((one) => !creatable.some(({ view }) => one in view.shape))).toEqual([]);
  });

  it('covers every route: each belongs to a resource with a list, is a known part of a contact, or has no record', () => {
    const withRecord = routes.filter(({ path }) => pathParameters(path).length > 0);
    const nouns = withRecord.map(({ procedure }) => procedure.split('.')[0] ?? '');
    expect(partsOfContacts.filter((part) => !nouns.includes(part))).toEqual([]);
    const covered = new Set([...names, ...partsOfContacts]);
    const strays = withRecord.filter(({ procedure }) => !covered.has(procedure.split('.')[0] ?? ''));
    expect(strays.map(({ procedure }) => procedure)).toEqual([]);
    expect(resources.filter(({ create, get }) => create && !get).map(({ name }) => name)).toEqual([]);
  });

  it('covers every list that a client can add to', () => {
    const adding = routes
      .filter(({ method }) => method === 'POST')
      .map(({ procedure }) => procedure.split('.')[0]);
    const filled = new Set(fillable.map(({ name }) => name));
    const left = resources.filter(({ name }) => adding.includes(name) && !filled.has(name));
    expect(left.map(({ name }) => name)).toEqual(madeTogether);
  });
});
