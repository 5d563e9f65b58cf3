import { expect } from 'vitest';
import type { Json } from '../system/api.ts';
import type { Person } from '../system.ts';
import { type Field, plainFields, valueNumbered, writableFields } from './fields.ts';
import { aliases, demanded, fixed, named, people, replaced } from './known.ts';
import { type Complete, creatable, pathOf, type Resource } from './resources.ts';

export interface Made {
  readonly id: number;
  /** The path of its list. */
  readonly collection: string;
  readonly path: string;
  /** The values of all parameters of its path. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly body: Json;
}

let last = 0;

/** A number that is used only once per test file. */
export const next = (): number => {
  last += 1;
  return last;
};

/** The given fields, and values for the other required ones. */
export async function leastDraft(
  person: Person,
  { name, create }: Pick<Complete, 'name' | 'create'>,
  given: Json = {},
): Promise<Json> {
  // Without fields that are given under another name.
  const standing = new Set(Object.keys(given).map((field) => aliases[`${name}.${field}`] ?? field));
  const others = Object.entries(demanded[name]?.(next()) ?? {}).filter(([field]) => !standing.has(field));
  const draft: Record<string, unknown> = { ...Object.fromEntries(others), ...given };
  for (const field of writableFields(create).filter(({ name, required }) => required && !(name in given))) {
    const settled = fixed[name]?.[field.name];
    draft[field.name] =
      settled ?? (field.kind === 'reference' ? await idFor(person, field) : valueNumbered(field, next()));
  }
  return draft;
}

/** The given fields, and values for all other fields with a value of their own and all required ones. */
export async function fullDraft(person: Person, resource: Complete, given: Json = {}): Promise<Json> {
  const n = next();
  const values = plainFields(resource.create).map((field) => [field.name, valueNumbered(field, n)]);
  return leastDraft(person, resource, {
    ...Object.fromEntries(values),
    ...fixed[resource.name],
    ...given,
  });
}

/** A value for each nested field that a client may write. A new one needs an example here. */
export async function nestedDraft(person: Person, { name, create }: Complete): Promise<Json> {
  const examples: Record<string, () => Promise<unknown>> = {
    'contacts.addresses': async () => [{ city: 'Reno' }],
    'contacts.custom_fields': async () => [
      { ...(await newRecord(person, resourceCalled('customFields'))).body, value: 'Yes' },
    ],
  };
  const nested = writableFields(create).filter(({ kind }) => kind === 'nested');
  const values = nested.map(async (field) => {
    const example = examples[`${name}.${field.name}`];
    if (!example) throw new Error(`There is no example of "${name}.${field.name}".`);
    return [field.name, await example()];
  });
  return Object.fromEntries(await Promise.all(values));
}

/** The body that changes some fields of a record, with all other values if these would be lost. */
export function changesOf({ name, patch }: Resource, record: Json, changes: Json): Json {
  if (!patch || !replaced.includes(name)) return changes;
  const kept = writableFields(patch).filter((field) => field.name in record);
  return { ...Object.fromEntries(kept.map((field) => [field.name, record[field.name]])), ...changes };
}

/** The id of a new record that a field can refer to. */
export async function idFor(person: Person, { name, target = name }: Field): Promise<number> {
  return people[target]?.(person) ?? (await newRecord(person, resourceCalled(target))).id;
}

export function resourceCalled(name: string): Complete {
  const found = creatable.find((one) => one.name === name);
  if (!found) throw new Error(`There is no resource "${name}" whose records can be created.`);
  return found;
}

/** Creates the records that the paths of a resource refer to. */
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
  const { status, body } = await person.api.post(collection, await leastDraft(person, resource, draft));
  expect(status, JSON.stringify(body)).toBe(201);
  const parameters = { ...above, id: Number(body.id) };
  return { id: parameters.id, collection, path: pathOf(resource.get, parameters), parameters, body };
}
