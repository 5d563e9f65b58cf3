import { fieldKinds, listingOf, pathParameters } from '@crm/contract';
import { type Route, routes } from '@crm/gateway';
import { z } from 'zod';
import { madeTogether, placed } from './known.ts';

/** The routes that share records, found in the contracts alone. */
export interface Resource {
  /** As in the contracts: the first part of its procedures' names. */
  readonly name: string;
  /** Also the schema its records lie in. */
  readonly service: string;
  readonly find: Route;
  readonly get?: Route;
  readonly create?: Route;
  readonly patch?: Route;
  readonly remove?: Route;
  /** What a record looks like when it is read. */
  readonly shown: z.ZodObject;
  /** What can be asked of it in a list. */
  readonly view: z.ZodObject;
  /** Parameters of its paths that name records of others, outermost first. */
  readonly parents: readonly string[];
}

/** Everything with a list. What has none, such as the current user, has no records to be found. */
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

/** Resources whose records a client can make and read one by one. */
export const creatable = resources.filter(
  (one): one is Complete => Boolean(one.create && one.get) && !madeTogether.includes(one.name),
);

/** Resources whose lists a client can fill. */
export const fillable = resources.filter(
  (one) => creatable.some(({ name }) => name === one.name) || placed[one.name],
);

/** Routes of a record: the last part of their path is its id. */
export const itemRoutes = routes.filter(({ path }) => path.endsWith('/:id'));

/** The path of a route with its parameters filled in. */
export function pathOf({ path }: Pick<Route, 'path'>, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => String(values[name]));
}

/** What a list can be asked beside its fields, each yes or no. */
export function switchesOf({ find, parents }: Resource): string[] {
  const own = Object.entries(listingOf(find.operation.input)?.own.shape ?? {});
  const isSwitch = (schema: unknown) =>
    schema instanceof z.ZodType && schema.safeParse('true').success && !schema.safeParse('x').success;
  return own.filter(([name, schema]) => !parents.includes(name) && isSwitch(schema)).map(([name]) => name);
}

/** The kind of each field of a view that can be filtered and sorted by. */
export const kindsOf = ({ view }: Resource) => fieldKinds(view).kinds;
export const choicesOf = ({ view }: Resource) => fieldKinds(view).choices;
export const nestedOf = ({ view }: Resource) => fieldKinds(view).nested;
