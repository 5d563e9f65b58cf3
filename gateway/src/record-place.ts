import { listingOf } from '@crm/contract';
import { z } from 'zod';
import type { Route } from './routes.ts';

/** Where the record of a response can be read: at the path of the request, or below it, at the id in the response. */
export type RecordPlace = 'here' | 'below';

/** A route, and where the record of its response can be read. */
export interface PlacedRoute {
  readonly route: Route;
  readonly place: RecordPlace | undefined;
}

/** Finds where the records that operations read, change and add can be read again; undefined for any other response. */
export function recordPlaces(routes: readonly Route[]): (route: Route) => RecordPlace | undefined {
  const read = new Set(
    routes
      .filter(
        ({ method, operation }) => method === 'GET' && !listingOf(operation.input) && !operation.download,
      )
      .map(({ path }) => path),
  );
  return ({ method, path, operation }) => {
    const isMany = operation.output instanceof z.ZodArray;
    if (method === 'POST') return read.has(`${path}/:id`) && !isMany ? 'below' : undefined;
    return read.has(path) ? 'here' : undefined;
  };
}

/** The id at the start of a record's JSON text. The text is not parsed. */
export const idIn = (text: string): string | undefined => /^\{"id":(\d+)[,}]/.exec(text)?.[1];
