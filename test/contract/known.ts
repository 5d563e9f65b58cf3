import type { Json } from '../system/api.ts';
import type { Person } from '../system.ts';

/**
 * What no contract says and the generated tests must know: it is all they know of any resource by name. A
 * resource that needs an entry and has none fails a test of its own.
 */

/** Whose record a path parameter, or a field that holds the id of another record, names. */
export const named: Readonly<Record<string, string>> = {
  contact_id: 'contacts',
  hotness_id: 'hotnesses',
  source_id: 'contactSources',
  assigned_user_id: 'self',
  user_id: 'someone',
};

/** Values of fields that are needed and hold no plain value, by resource. */
export const needs: Readonly<Record<string, (person: Person) => Promise<Json>>> = {
  subAccounts: async ({ someoneNew }) => ({ user_id: (await someoneNew()).id }),
};

/** Values on which the meaning of other fields depends: with another order a team has no minutes. */
export const fixed: Readonly<Record<string, Json>> = {
  teams: { order_method: 'Rank' },
};

/** Equality that is not the plain one, by resource and field. */
export const equalities: Readonly<Record<string, (stored: string, asked: string) => boolean>> = {
  'contacts.email': (stored, asked) => stored.toLowerCase() === asked.toLowerCase(),
  'contacts.tags': (stored, asked) =>
    stored === asked ||
    stored
      .replaceAll(/^ +| +$/g, '')
      .split(/\s*,\s*/)
      .includes(asked),
};

/** The order of a list whose caller asks for none, where it is not by id. */
export const orders: Readonly<Record<string, readonly (readonly [field: string, direction: 1 | -1])[]>> = {
  hotnesses: [
    ['user_id', 1],
    ['rank', 1],
  ],
};

/** Fields that change with every change of the record. */
export const touched: readonly string[] = ['modified_at'];

/** A record without them, for comparing what a change left alone. */
export const untouched = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !touched.includes(name)));
