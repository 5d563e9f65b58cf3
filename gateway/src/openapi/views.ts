import { listingOf } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';
import { z } from 'zod';
import type { Route } from '../routes.ts';
import { tidy } from './json-schema.ts';
import { type ResourceNames, verbOf } from './names.ts';

const base = '#/components/schemas/';

/** What the API shows, each view once and under the name of its resource. */
export interface Views {
  readonly components: Readonly<Record<string, oas31.SchemaObject>>;
  readonly refTo: (schema: z.ZodType) => oas31.ReferenceObject;
}

export function viewsOf(routes: readonly Route[], namesOf: (route: Route) => ResourceNames): Views {
  const names = new Map<z.ZodType, string>();
  const registry = z.registry<{ id: string }>();
  const add = (schema: z.ZodType, wanted: string, otherwise: string) => {
    if (names.has(schema)) return;
    const taken = new Set(names.values());
    const name = taken.has(wanted) ? otherwise : wanted;
    if (taken.has(name)) throw new Error(`Two answers would be called ${name} in the document.`);
    names.set(schema, name);
    registry.add(schema, { id: name });
  };
  // Lists first, because what a list shows is what a record of the resource is.
  for (const route of byListsFirst(routes)) {
    const { noun } = namesOf(route);
    const { input, output } = route.operation;
    const listing = listingOf(input);
    if (listing) add(shownIn(output) ?? listing.view, noun, `${noun}${verbOf(route)}Item`);
    add(output, listing ? `${noun}List` : noun, `${noun}${verbOf(route)}Answer`);
  }
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => base + id, unrepresentable: 'any' });
  return {
    components: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema)])),
    refTo: (schema) => ({ $ref: `${base}${names.get(schema)}` }),
  };
}

/** The records of a page, which may show more than can be asked for. */
function shownIn(page: z.ZodType): z.ZodType | undefined {
  const data = page instanceof z.ZodObject ? page.shape.data : undefined;
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : undefined;
}

function byListsFirst(routes: readonly Route[]): Route[] {
  const isList = ({ operation }: Route) => listingOf(operation.input) !== undefined;
  return [...routes.filter(isList), ...routes.filter((route) => !isList(route))];
}
