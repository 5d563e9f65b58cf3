import { expect } from 'vitest';
import type { Json } from '../system/api.ts';
import type { Person } from '../system.ts';
import { valueNumbered, writableFields } from './fields.ts';
import { fixed, named, needs } from './known.ts';
import { type Complete, creatable, pathOf, type Resource } from './resources.ts';

export interface Made {
  readonly id: number;
  /** Of the list it is in. */
  readonly collection: string;
  readonly path: string;
  /** The values of all parameters of its path. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly body: Json;
}

let last = 0;

/** A number that no other value of the test file was made of. */
export const next = (): number => {
  last += 1;
  return last;
};

/** Values for the fields that are always needed. */
export async function leastDraft(person: Person, { name, create }: Complete): Promise<Json> {
  const required = writableFields(create).filter((field) => field.required && field.kind !== 'reference');
  const values = required.map((field) => [field.name, valueNumbered(field, next())]);
  return { ...Object.fromEntries(values), ...(await needs[name]?.(person)) };
}

/** A value for every field that holds one value and names no other record, and for those that are needed. */
export async function fullDraft(person: Person, { name, create }: Complete): Promise<Json> {
  const n = next();
  const plain = writableFields(create).filter(({ kind }) => kind !== 'nested' && kind !== 'reference');
  const values = Object.fromEntries(plain.map((field) => [field.name, valueNumbered(field, n)]));
  return { ...values, ...fixed[name], ...(await needs[name]?.(person)) };
}

export function resourceCalled(name: string): Complete {
  const found = creatable.find((one) => one.name === name);
  if (!found) throw new Error(`There is no resource «${name}» whose records can be made.`);
  return found;
}

/** Makes the records that the paths of a resource need. */
export async function newParents(person: Person, { parents }: Resource): Promise<Record<string, number>> {
  const parameters: Record<string, number> = {};
  for (const parameter of parents) {
    const parent = await newRecord(person, resourceCalled(named[parameter] ?? parameter));
    Object.assign(parameters, parent.parameters, { [parameter]: parent.id });
  }
  return parameters;
}

export async function newRecord(person: Person, resource: Complete, draft?: Json): Promise<Made> {
  return newRecordBelow(person, resource, await newParents(person, resource), draft);
}

/** Another record of the same parents. */
export async function newRecordBelow(
  person: Person,
  resource: Complete,
  parents: Readonly<Record<string, number>>,
  draft: Json = {},
): Promise<Made> {
  const { id: _, ...above } = parents;
  const collection = pathOf(resource.create, above);
  const { status, body } = await person.api.post(collection, {
    ...(await leastDraft(person, resource)),
    ...draft,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  const parameters = { ...above, id: Number(body.id) };
  return { id: parameters.id, collection, path: pathOf(resource.get, parameters), parameters, body };
}
