import { fieldKinds, listingOf, pathParameters } from '@crm/contract';
import { type Route, routes } from '@crm/gateway';
import { z } from 'zod';
import { madeTogether, placed } from './known.ts';

/** The routes of a resource, derived from the contracts. */
export interface Resource {
  /** The first part of the names of its procedures. */
  readonly name: string;
  /** Also the name of its database schema. */
  readonly service: string;
  readonly find: Route;
  readonly get?: Route;
  readonly create?: Route;
  readonly patch?: Route;
  readonly remove?: Route;
  /** A record as it is read. */
  readonly shown: z.ZodObject;
  /** The fields that a list can be filtered by. */
  readonly view: z.ZodObject;
  /** Parameters of its paths that refer to other records, outermost first. */
  readonly parents: readonly string[];
}

/** Every resource with a list. */
export const resources: readonly Resource[] = Object.entries(
  Object.groupBy(routes, ({ procedure }) => procedure.split('.')[0] ?? ''),
).flatMap(([name, group = []]) => {
  const verbs = Object.fromEntries(group.map((route) => [route.procedure.split('.')[1], route]));
  const { find, get, create, patch, remove } = verbs;
  const listing = find && listingOf(find.operation.input);
  if (!find || !listing) return [];
  const { service, path } = find;
  const optional = {
    ...(get && { get }),
    ...(create && { create }),
    ...(patch && { patch }),
    ...(remove && { remove }),
  };
  const read = get?.operation.output;
  const shown = read instanceof z.ZodObject ? read : listing.view;
  return [{ name, service, find, ...optional, shown, view: listing.view, parents: pathParameters(path) }];
});

export type Complete = Resource & { readonly [Verb in 'get' | 'create']: Route };

/** Resources whose records a client can create and read one by one. */
export const creatable = resources.filter(
  (one): one is Complete => Boolean(one.create && one.get) && !madeTogether.includes(one.name),
);

/** Resources whose lists a client can fill. */
export const fillable = resources.filter(
  (one) => creatable.some(({ name }) => name === one.name) || placed[one.name],
);

/** Routes whose path ends with the id of a record. */
export const itemRoutes = routes.filter(({ path }) => path.endsWith('/:id'));

/** The path of a route with its parameters filled in. */
export function pathOf({ path }: Pick<Route, 'path'>, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => String(values[name]));
}

/** Parameters of a list that are not fields and select fewer records. They are tested with their resource. */
export const narrowing: readonly string[] = [
  'contacts.$search',
  'contacts.has_email',
  'contacts.has_phone',
  'leads.$search',
  'leads.assigned_user_id',
];

/** The boolean parameters of a list that are not fields. */
export function switchesOf({ name: resource, find, parents }: Resource): string[] {
  const own = Object.entries(listingOf(find.operation.input)?.own.shape ?? {});
  const isSwitch = (schema: unknown) =>
    schema instanceof z.ZodType && schema.safeParse('true').success && !schema.safeParse('x').success;
  const isOther = (name: string) => parents.includes(name) || narrowing.includes(`${resource}.${name}`);
  return own.filter(([name, schema]) => !isOther(name) && isSwitch(schema)).map(([name]) => name);
}

const known = new Map<z.ZodObject, ReturnType<typeof fieldKinds>>();

function kindsIn(view: z.ZodObject) {
  const kinds = known.get(view) ?? fieldKinds(view);
  known.set(view, kinds);
  return kinds;
}

/** The kind of each field of a view that can be filtered and sorted by. */
export const kindsOf = ({ view }: Resource) => kindsIn(view).kinds;
export const choicesOf = ({ view }: Resource) => kindsIn(view).choices;
export const formsOf = ({ view }: Resource) => kindsIn(view).forms;
export const nestedOf = ({ view }: Resource) => kindsIn(view).nested;
