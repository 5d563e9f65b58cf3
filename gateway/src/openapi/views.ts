import { listingOf } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';
import { z } from 'zod';
import type { Route } from '../routes.ts';
import { tidy } from './json-schema.ts';
import { type ResourceNames, verbOf } from './names.ts';

const base = '#/components/schemas/';

/** The views of the API, each once and named after its resource. */
export interface Views {
  readonly components: Readonly<Record<string, oas31.SchemaObject>>;
  readonly refTo: (schema: z.ZodType) => oas31.ReferenceObject;
}

export function viewsOf(routes: readonly Route[], namesOf: (route: Route) => ResourceNames): Views {
  const names = new Map<z.ZodType, string>();
  const registry = z.registry<{ id: string }>();
  const add = (schema: z.ZodType, preferred: string, fallback: string) => {
    if (names.has(schema)) return;
    const used = new Set(names.values());
    const name = used.has(preferred) ? fallback : preferred;
    if (used.has(name)) throw new Error(`Two schemas of the document would have the name ${name}.`);
    names.set(schema, name);
    registry.add(schema, { id: name });
  };
  // Lists first, because they define the view of a resource.
  for (const route of byListsFirst(routes)) {
    // A file has no schema.
    if (route.operation.download) continue;
    const { noun } = namesOf(route);
    const { input, output } = route.operation;
    const listing = listingOf(input);
    if (listing) add(viewIn(output) ?? listing.view, noun, `${noun}${verbOf(route)}Item`);
    add(output, listing ? `${noun}List` : noun, `${noun}${verbOf(route)}Answer`);
  }
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => base + id, unrepresentable: 'any' });
  return {
    components: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema)])),
    refTo: (schema) => ({ $ref: `${base}${names.get(schema)}` }),
  };
}

/** The view of a page's records, which may have fields that cannot be used in filters. */
function viewIn(page: z.ZodType): z.ZodType | undefined {
  const data = page instanceof z.ZodObject ? page.shape.data : undefined;
  return data instanceof z.ZodArray ? (data.element as z.ZodType) : undefined;
}

function byListsFirst(routes: readonly Route[]): Route[] {
  const isList = ({ operation }: Route) => listingOf(operation.input) !== undefined;
  return [...routes.filter(isList), ...routes.filter((route) => !isList(route))];
}
